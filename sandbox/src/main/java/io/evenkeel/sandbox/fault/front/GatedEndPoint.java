package io.evenkeel.sandbox.fault.front;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.concurrent.locks.ReentrantLock;
import org.eclipse.jetty.io.ManagedSelector;
import org.eclipse.jetty.io.SocketChannelEndPoint;
import org.eclipse.jetty.util.thread.Scheduler;

/**
 * A TCP connection on which nothing moves while the gate is shut: below TLS and HTTP/2, so that not even a handshake or
 * a ping is answered.
 *
 * <p>A shut gate looks to Jetty like a socket that has nothing to read and no room to write. What Jetty then asks to be
 * told of is remembered instead of handed to the selector, which would find the socket ready at once, for ever.
 */
final class GatedEndPoint extends SocketChannelEndPoint {
    private final Gate gate;
    private final ReentrantLock lock = new ReentrantLock();
    private boolean readWanted;
    private boolean writeWanted;

    GatedEndPoint(SocketChannel channel, ManagedSelector selector, SelectionKey key, Scheduler scheduler, Gate gate) {
        super(channel, selector, key, scheduler);
        this.gate = gate;
    }

    @Override
    public void onOpen() {
        gate.add(this);
        super.onOpen();
    }

    @Override
    public void onClose(Throwable cause) {
        gate.remove(this);
        super.onClose(cause);
    }

    @Override
    public int fill(ByteBuffer buffer) throws IOException {
        return gate.isOpen() ? super.fill(buffer) : 0;
    }

    @Override
    public boolean flush(ByteBuffer... buffers) throws IOException {
        return gate.isOpen() && super.flush(buffers);
    }

    @Override
    protected void needsFillInterest() {
        lock.lock();
        try {
            readWanted = !gate.isOpen();
            if (readWanted) {
                return;
            }
        } finally {
            lock.unlock();
        }
        super.needsFillInterest();
    }

    @Override
    protected void onIncompleteFlush() {
        lock.lock();
        try {
            writeWanted = !gate.isOpen();
            if (writeWanted) {
                return;
            }
        } finally {
            lock.unlock();
        }
        super.onIncompleteFlush();
    }

    /** Hands over what was remembered; called after the gate was opened. */
    void resume() {
        boolean read;
        boolean write;
        lock.lock();
        try {
            read = readWanted;
            write = writeWanted;
            readWanted = false;
            writeWanted = false;
        } finally {
            lock.unlock();
        }
        if (read) {
            super.needsFillInterest();
        }
        if (write) {
            super.onIncompleteFlush();
        }
    }
}

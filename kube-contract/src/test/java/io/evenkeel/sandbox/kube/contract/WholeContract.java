package io.evenkeel.sandbox.kube.contract;

/** All cases. */
interface WholeContract
        extends ListContract,
                WatchContract,
                WriteContract,
                MetadataContract,
                DecodingContract,
                ScaleContract,
                ApplyContract,
                DeleteContract,
                CollectionContract,
                DefinitionContract,
                DefinitionRulesContract,
                DiscoveryContract,
                AccessContract,
                WorkloadContract,
                DifferenceContract {}

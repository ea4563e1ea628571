// Generated from registry/*/*.yaml by `cargo xtask codegen`. Do not edit.
//! The values that the registry lists, one enum an attribute, sorted by key.

#[allow(unused_imports)] // a registry may have one kind only
use crate::values::{coded, listed};

listed! {
    /// `compiler.obligation.result`: What the solver answered.
    CompilerObligationResult "compiler.obligation.result" {
        /// Proved.
        Discharged = 0 "discharged",
        /// Counterexample found.
        Refuted = 1 "refuted",
        /// Solver gave up.
        Unknown = 2 "unknown",
    }
}

listed! {
    /// `gen_ai.operation.name`: What is asked of the model, agent or tool.
    GenAiOperationName "gen_ai.operation.name" {
        /// Chat completion.
        Chat = 0 "chat",
        /// Making an agent.
        CreateAgent = 1 "create_agent",
        /// Embeddings of an input.
        Embeddings = 2 "embeddings",
        /// Running a tool.
        ExecuteTool = 3 "execute_tool",
        /// Multimodal content.
        GenerateContent = 4 "generate_content",
        /// Calling an agent.
        InvokeAgent = 5 "invoke_agent",
        /// Text completion.
        TextCompletion = 6 "text_completion",
    }
}

listed! {
    /// `http.request.method`: Method of the request.
    HttpRequestMethod "http.request.method" {
        /// A method of RFC 9110.
        Connect = 0 "CONNECT",
        /// A method of RFC 9110.
        Delete = 1 "DELETE",
        /// A method of RFC 9110.
        Get = 2 "GET",
        /// A method of RFC 9110.
        Head = 3 "HEAD",
        /// A method of RFC 9110.
        Options = 4 "OPTIONS",
        /// A later method.
        Patch = 5 "PATCH",
        /// A method of RFC 9110.
        Post = 6 "POST",
        /// A method of RFC 9110.
        Put = 7 "PUT",
        /// A later method.
        Query = 8 "QUERY",
        /// A method of RFC 9110.
        Trace = 9 "TRACE",
        /// Any method that is not known.
        Other = 10 "_OTHER",
    }
}

listed! {
    /// `hw.gpu.task`: What the GPU works on.
    HwGpuTask "hw.gpu.task" {
        /// Decoding video.
        Decoder = 0 "decoder",
        /// Encoding video.
        Encoder = 1 "encoder",
        /// Everything else.
        General = 2 "general",
    }
}

listed! {
    /// `hw.type`: Kind of the component.
    HwType "hw.type" {
        /// Battery.
        Battery = 0 "battery",
        /// Cpu.
        Cpu = 1 "cpu",
        /// Disk controller.
        DiskController = 2 "disk_controller",
        /// Enclosure.
        Enclosure = 3 "enclosure",
        /// Fan.
        Fan = 4 "fan",
        /// Gpu.
        Gpu = 5 "gpu",
        /// Logical disk.
        LogicalDisk = 6 "logical_disk",
        /// Memory.
        Memory = 7 "memory",
        /// Network.
        Network = 8 "network",
        /// Physical disk.
        PhysicalDisk = 9 "physical_disk",
        /// Power supply.
        PowerSupply = 10 "power_supply",
        /// Tape drive.
        TapeDrive = 11 "tape_drive",
        /// Temperature.
        Temperature = 12 "temperature",
        /// Voltage.
        Voltage = 13 "voltage",
    }
}

listed! {
    /// `messaging.operation.type`: Kind of the operation.
    MessagingOperationType "messaging.operation.type" {
        /// A message is made.
        Create = 0 "create",
        /// Messages are handed over for sending.
        Send = 1 "send",
        /// Messages are asked for.
        Receive = 2 "receive",
        /// Messages are worked on.
        Process = 3 "process",
        /// Messages are acknowledged or refused.
        Settle = 4 "settle",
    }
}

listed! {
    /// `network.io.direction`: Direction in which bytes flow.
    NetworkIoDirection "network.io.direction" {
        /// Towards us.
        Receive = 0 "receive",
        /// Away from us.
        Transmit = 1 "transmit",
    }
}

coded! {
    /// `runtime.dtype`: Element type.
    RuntimeDtype "runtime.dtype" {
        /// Half.
        F16 = 1 "f16",
        /// Bfloat16.
        Bf16 = 2 "bf16",
        /// Single.
        F32 = 3 "f32",
        /// Double.
        F64 = 4 "f64",
        /// 32-bit integer.
        I32 = 5 "i32",
        /// 64-bit integer.
        I64 = 6 "i64",
    }
}

listed! {
    /// `runtime.free.fault`: Why a free cannot be right.
    RuntimeFreeFault "runtime.free.fault" {
        /// No block with this address was given out.
        Unknown = 0 "unknown",
        /// The block was freed before.
        Double = 1 "double",
        /// The block has another size.
        SizeMismatch = 2 "size_mismatch",
        /// The block was allocated on another stream.
        OtherStream = 3 "other_stream",
    }
}

listed! {
    /// `tl.corpus.stage`: Corpus stage.
    TlCorpusStage "tl.corpus.stage" {
        /// Documents come in.
        Fetch = 0 "fetch",
        /// Documents that are not wanted go.
        Filter = 1 "filter",
        /// Equal documents go.
        DedupExact = 2 "dedup_exact",
        /// Nearly equal documents go.
        DedupNear = 3 "dedup_near",
        /// Personal data goes.
        Pii = 4 "pii",
        /// Documents are spread over files.
        Shard = 5 "shard",
        /// Text becomes tokens.
        Tokenize = 6 "tokenize",
    }
}

listed! {
    /// `tl.policy.decision`: What the policy said.
    TlPolicyDecision "tl.policy.decision" {
        /// Let through.
        Allow = 0 "allow",
        /// Refused.
        Deny = 1 "deny",
    }
}

listed! {
    /// `tl.ratelimit.decision`: What the rate limiter said.
    TlRatelimitDecision "tl.ratelimit.decision" {
        /// Let through.
        Allow = 0 "allow",
        /// Refused.
        Deny = 1 "deny",
    }
}

listed! {
    /// `tl.route.reason`: Why that worker.
    TlRouteReason "tl.route.reason" {
        /// It holds the prefix of the request.
        Affinity = 0 "affinity",
        /// It has the least to do.
        Load = 1 "load",
        /// The step before was not good enough.
        Cascade = 2 "cascade",
        /// A share of the traffic goes to the new one.
        Canary = 3 "canary",
        /// The first choice did not answer.
        Failover = 4 "failover",
    }
}

listed! {
    /// `tl.tool.outcome`: How the tool call ended.
    TlToolOutcome "tl.tool.outcome" {
        /// It gave a result.
        Ok = 0 "ok",
        /// It failed.
        Error = 1 "error",
        /// A policy refused it.
        Denied = 2 "denied",
        /// It waits for a person.
        NeedsApproval = 3 "needs_approval",
    }
}

/// Calls a macro with the name of every enum.
#[doc(hidden)]
#[macro_export]
macro_rules! __each_enum {
    ($then:ident) => {
        $then! {
            CompilerObligationResult
            GenAiOperationName
            HttpRequestMethod
            HwGpuTask
            HwType
            MessagingOperationType
            NetworkIoDirection
            RuntimeDtype
            RuntimeFreeFault
            TlCorpusStage
            TlPolicyDecision
            TlRatelimitDecision
            TlRouteReason
            TlToolOutcome
        }
    };
}

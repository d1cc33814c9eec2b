package import JSONSchema

/// What of a sweep is run, and how.
package struct VariantCheckOptions: Sendable {
    /// Patterns for operations' ids; empty for all.
    package var operations: [String]
    /// Patterns for findings' ids, such as `variants/changed-*`; empty for all.
    package var checks: [String]
    /// Decides what chance makes and which values come together; the same seed makes the same variants.
    package var seed: UInt64
    package var limits: VariantLimits
    /// The most variants of a refusal's body that each operation gets; all of them are tried among all operations.
    package var refusalVariants: Int
    /// How many clients are called side by side.
    package var lanes: Int
    /// A call that sends more requests than this never ends.
    package var requestLimit: Int

    package init(
        operations: [String] = [],
        checks: [String] = [],
        seed: UInt64 = 1,
        limits: VariantLimits = VariantLimits(),
        refusalVariants: Int = 12,
        lanes: Int = 3,
        requestLimit: Int = 24
    ) {
        self.operations = operations
        self.checks = checks
        self.seed = seed
        self.limits = limits
        self.refusalVariants = refusalVariants
        self.lanes = lanes
        self.requestLimit = requestLimit
    }
}

import Basics
import Checking
import ClientTesting
import OpenAPI
import TestSupport
import Testing

/// A contract of this package with the variants of its responses, read and made once for all tests.
struct SharedContract: Sendable {
    let contract: Contract
    /// Those of the usual seed and limits.
    let variants: SchemaVariantCache

    static func read(for adapter: some ClientAdapter) throws -> SharedContract {
        try known.withLock { known in
            if let contract = known[adapter.contract] { return contract }
            let files = DiskFiles()
            let project = try #require(ProjectRoot(Project.folder, files: files))
            let contract = try adapter.readContract(in: project, files: files)
            let usual = VariantCheckOptions()
            let variants = SchemaVariantCache(contract, seed: usual.seed, limits: usual.limits)
            let shared = SharedContract(contract: contract, variants: variants)
            known[adapter.contract] = shared
            return shared
        }
    }

    private static let known = Lock<[String: SharedContract]>([:])
}

import Basics

/// What was learned about schemas, kept between samples.
///
/// A class, because every copy of a sampler shares it. It is lent out as a whole: who comes meanwhile begins anew, which
/// takes longer and makes the same values.
final class SampleTables: Sendable {
    private let registry: SchemaRegistry
    private let idle: Lock<SchemaTable?>

    init(registry: SchemaRegistry) {
        self.registry = registry
        idle = Lock(nil)
    }

    func borrow() -> SchemaTable {
        let table = idle.withLock { table in
            defer { table = nil }
            return table
        }
        return table ?? SchemaTable(registry: registry)
    }

    /// Takes a table back; of two the one that knows more stays.
    func giveBack(_ table: consuming SchemaTable) {
        let returned = table
        idle.withLock { idle in
            if (idle?.entries.count ?? 0) <= returned.entries.count { idle = returned }
        }
    }
}

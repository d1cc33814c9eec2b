/// The bytes of uploaded files, by the item that each belongs to.
///
/// They are limited in total, so that a server which runs for weeks does not fill the memory: beyond the limit the
/// bytes of the oldest files go first. Their items stay, and a response with such a file's content says what has happened.
struct StoredFiles: Sendable {
    /// The number of bytes that are kept in total.
    static let limit = 64 << 20

    private var contents: [Int: [UInt8]] = [:]
    /// The items in the order of their files' coming; some may be gone.
    private var order: [Int] = []
    /// The number of removed entries at the beginning of the order.
    private var dropped = 0
    /// The number of bytes that are kept.
    private(set) var total = 0
    private let limit: Int

    init(limit: Int = StoredFiles.limit) {
        self.limit = limit
    }

    subscript(item: Int) -> [UInt8]? { contents[item] }

    mutating func keep(_ bytes: [UInt8], of item: Int) {
        contents[item] = bytes
        order.append(item)
        total += bytes.count
        while total > limit, dropped < order.count {
            drop(order[dropped])
            dropped += 1
        }
        if order.count > 64, order.count > contents.count * 2 {
            order = order[dropped...].filter { contents[$0] != nil }
            dropped = 0
        }
    }

    mutating func drop(_ item: Int) {
        if let bytes = contents.removeValue(forKey: item) { total -= bytes.count }
    }
}

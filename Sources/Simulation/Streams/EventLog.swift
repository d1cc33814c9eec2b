import Basics

/// The events of a route that have identifiers, as they came: those after the last one that a client has are its due.
struct EventLog: Sendable {
    private struct Entry: Sendable {
        var id: String
        /// The identifier for clients that have not seen it; `nil` for an event of the route's list, which each stream has.
        var pushed: RenderedStream.Piece?
        /// The device; `nil` for every device.
        var device: String?
    }

    private var entries: [Entry] = []
    /// The maximum number of kept ones, so that an endless stream does not fill the memory.
    private static let mostKept = 1_000

    mutating func note(_ id: String, pushed: RenderedStream.Piece? = nil, device: String?) {
        entries.append(Entry(id: id, pushed: pushed, device: device))
        if entries.count > Self.mostKept { entries.removeFirst(entries.count - Self.mostKept) }
    }

    /// The events pushed after the newest event with an identifier that a device has received; `nil` without one.
    func missed(by device: String?, after id: String) -> [RenderedStream.Piece]? {
        let last = entries.lastIndex { entry in
            entry.id.exact == id.exact && (entry.pushed != nil || entry.device == device)
        }
        guard let last else { return nil }
        return entries[(last + 1)...].compactMap { entry in
            entry.device.map { $0 == device } ?? true ? entry.pushed : nil
        }
    }
}

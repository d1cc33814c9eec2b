/// Which of kqueue's filters a descriptor needs, and what their events mean: the part of ``KqueueSelector`` that needs
/// no kernel.
///
/// The filter for reading is always there. Without a reader it is edge-triggered (`EV_CLEAR`): it fires once for the
/// bytes that wait and again for the end of stream, and is evaluated with its flags only, so that bytes that are not
/// read do not keep the loop busy. So the end of stream and a reset are reported as on Linux.
enum KqueueFilters {
    enum Filter: Hashable {
        case read
        case write
    }

    enum Change: Hashable {
        case add(Filter, isEdgeTriggered: Bool)
        case delete(Filter)
    }

    /// What to tell the kernel when the interest changes; `nil` stands for a descriptor that is not registered.
    ///
    /// The kernel need not take over a new trigger for a filter that it has, so that one is deleted first.
    static func changes(from old: Interest?, to new: Interest?) -> [Change] {
        var changes: [Change] = []
        if old.map({ $0.contains(.read) }) != new.map({ $0.contains(.read) }) {
            if old != nil { changes.append(.delete(.read)) }
            if let new { changes.append(.add(.read, isEdgeTriggered: !new.contains(.read))) }
        }
        let (wrote, writes) = (old?.contains(.write) ?? false, new?.contains(.write) ?? false)
        if wrote != writes { changes.append(writes ? .add(.write, isEdgeTriggered: false) : .delete(.write)) }
        return changes
    }

    /// What an event of a filter means.
    ///
    /// - Parameters:
    ///   - isEnd: whether `EV_EOF` is set.
    ///   - hasError: whether the event carries an error of the socket, as after a reset.
    static func readiness(_ filter: Filter, isEdgeTriggered: Bool, isEnd: Bool, hasError: Bool) -> Readiness {
        switch filter {
        case .write: isEnd ? [.write, .hangup] : .write
        // Reading shows which end it was.
        case .read where !isEdgeTriggered: .read
        case .read: isEnd ? (hasError ? [.peerEnd, .hangup] : .peerEnd) : []
        }
    }
}

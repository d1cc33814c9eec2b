import Testing

@testable import EventLoops

/// What of the selector for Apple's platforms can be tried without their kernel.
@Suite struct `Filters of kqueue` {
    struct Step: Sendable {
        var old: Interest?
        var new: Interest?
        var changes: [KqueueFilters.Change]
    }

    @Test(arguments: [
        Step(old: nil, new: .read, changes: [.add(.read, isEdgeTriggered: false)]),
        Step(old: nil, new: .peerEnd, changes: [.add(.read, isEdgeTriggered: true)]),
        Step(old: nil, new: [], changes: [.add(.read, isEdgeTriggered: true)]),
        Step(
            old: nil,
            new: .write,
            changes: [.add(.read, isEdgeTriggered: true), .add(.write, isEdgeTriggered: false)]
        ),
        Step(old: .read, new: .peerEnd, changes: [.delete(.read), .add(.read, isEdgeTriggered: true)]),
        Step(old: .peerEnd, new: .read, changes: [.delete(.read), .add(.read, isEdgeTriggered: false)]),
        Step(old: .peerEnd, new: [], changes: []),
        Step(old: .read, new: .readAndWrite, changes: [.add(.write, isEdgeTriggered: false)]),
        Step(
            old: .readAndWrite,
            new: .peerEnd,
            changes: [.delete(.read), .add(.read, isEdgeTriggered: true), .delete(.write)]
        ),
        Step(old: .readAndWrite, new: nil, changes: [.delete(.read), .delete(.write)]),
        Step(old: .peerEnd, new: nil, changes: [.delete(.read)]),
    ])
    func `follow the interest`(_ step: Step) {
        #expect(KqueueFilters.changes(from: step.old, to: step.new) == step.changes)
    }

    /// Every interest after every other: the kernel is never asked to delete a filter that it lacks (ENOENT), nor to add
    /// one that it has with another trigger.
    @Test func `are deleted only where they are, and added only where they are not`() {
        let interests = (0...7 as ClosedRange<UInt8>).map { Interest(rawValue: $0) }
        for first in interests {
            for second in interests {
                var present: Set<KqueueFilters.Filter> = []
                for (old, new) in [(nil, first), (first, second), (second, nil)] as [(Interest?, Interest?)] {
                    for change in KqueueFilters.changes(from: old, to: new) {
                        switch change {
                        case .add(let filter, _): #expect(present.insert(filter).inserted)
                        case .delete(let filter): #expect(present.remove(filter) != nil)
                        }
                    }
                }
                #expect(present.isEmpty)
            }
        }
    }

    struct Event: Sendable {
        var filter: KqueueFilters.Filter
        var isEdgeTriggered = false
        var isEnd = false
        var hasError = false
        var readiness: Readiness
    }

    @Test(arguments: [
        Event(filter: .read, readiness: .read),
        Event(filter: .read, isEnd: true, readiness: .read),
        Event(filter: .read, isEdgeTriggered: true, readiness: []),
        Event(filter: .read, isEdgeTriggered: true, isEnd: true, readiness: .peerEnd),
        Event(filter: .read, isEdgeTriggered: true, isEnd: true, hasError: true, readiness: [.peerEnd, .hangup]),
        Event(filter: .write, readiness: .write),
        Event(filter: .write, isEnd: true, readiness: [.write, .hangup]),
    ])
    func `tell the end of stream where nothing is read`(_ event: Event) {
        let readiness = KqueueFilters.readiness(
            event.filter,
            isEdgeTriggered: event.isEdgeTriggered,
            isEnd: event.isEnd,
            hasError: event.hasError
        )
        #expect(readiness == event.readiness)
    }
}

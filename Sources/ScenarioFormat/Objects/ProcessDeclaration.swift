import JSON

/// One of the processes that share a client's store.
package struct ProcessDeclaration: Sendable, Hashable {
    package enum Beginning: String, Sendable, CaseIterable {
        /// With the launch.
        case start
        /// By an event of the timeline.
        case later
    }

    package var name: String
    package var beginning: Beginning
}

/// A story's action on a process.
package struct ProcessAction: Sendable, Hashable {
    package enum Kind: String, Sendable, CaseIterable {
        case start
        /// It is frozen, as an app in the background is.
        case suspend
        case resume
        case kill
    }

    package var process = ""
    package var kind = Kind.start
}

/// The defect of the client's token store during a launch.
package enum StoreFault: String, Sendable, Hashable, CaseIterable {
    /// The stored data cannot be read temporarily, as on a locked phone.
    case locked
    /// It seems to be empty, as after the app was installed again.
    case empty
    /// Nothing can be written.
    case readOnly
    /// It holds what it held at the launch before.
    case stale
}

extension ProcessAction: ModelObject {
    static let keys = Keys(
        "processEvent",
        "a \"process\" event",
        "a client process is started, frozen or ended"
    ) {
        Key("process", \.process, .name(of: .process))
            .summary("The name of a process in \"processes\".").required.example("app")
        Key("do", \.kind, .word, "The action on the process. `backlot serve` ignores this action.").required
            .example("suspend")
    }
}

extension ValueType<[ProcessDeclaration]> {
    static var processes: Self {
        map(names: .name, of: .words(ProcessDeclaration.Beginning.self)) { member, _ in
            member.value.string.flatMap(ProcessDeclaration.Beginning.init).map {
                ProcessDeclaration(name: member.name, beginning: $0)
            }
        }
    }
}

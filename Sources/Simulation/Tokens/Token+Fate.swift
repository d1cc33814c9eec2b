package import ScenarioFormat

extension Token {
    /// Something that the server did to a token, and when.
    package struct Change: Sendable, Hashable {
        package enum Kind: String, Sendable, Hashable, CaseIterable {
            case exchanged
            case reused
            case displaced
            case revoked

            var standing: TokenStanding {
                switch self {
                case .exchanged, .displaced: .superseded
                case .reused: .reused
                case .revoked: .revoked
                }
            }
        }

        package var kind: Kind
        package var time: VirtualTime

        package init(_ kind: Kind, at time: VirtualTime) {
            self.kind = kind
            self.time = time
        }
    }

    package var fate: Fate {
        guard let last = changes.last else { return .live }
        switch last.kind {
        case .exchanged: return .exchanged(at: last.time)
        case .displaced: return .displaced(at: last.time)
        case .revoked: return .revoked(at: last.time)
        case .reused: return .reused(exchangedAt: changes.first { $0.kind == .exchanged }?.time ?? last.time)
        }
    }

    /// When it stopped being good because of what the server did; `nil` for one that only time has ended or will.
    package var ended: VirtualTime? { changes.first?.time }

    /// Whether a newer one was handed out for it.
    var isExchanged: Bool {
        switch fate {
        case .exchanged, .reused: true
        case .live, .revoked, .displaced: false
        }
    }

    /// Whether a change can befall a token that has undergone these before.
    static func canUndergo(_ kind: Change.Kind, after last: Change.Kind?) -> Bool {
        switch (kind, last) {
        case (.exchanged, nil), (.displaced, nil), (.reused, .exchanged): true
        case (.revoked, let last): last != .revoked
        default: false
        }
    }
}

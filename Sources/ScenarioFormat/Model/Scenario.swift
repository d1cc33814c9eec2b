package import JSON

/// A loaded scenario: a backend, and the story that is laid over it, if any.
///
/// Everything in it has been checked: names resolve, fixtures are read, placeholders are known.
package struct Scenario: Sendable {
    /// The backend's name.
    package var backend: String
    package var story: Story?
    /// The OpenAPI file that says what requests and responses are like.
    package var contract: ContractReference?
    /// The handling of requests that the contract does not document; `nil` depends on the use of the contract.
    package var undocumented: UndocumentedRule?
    /// The source of responses that the contract documents and the scenario lacks.
    package var fill = FillRule.off
    package var clock = ClockSettings()
    /// The real time for which refusals of tokens and responses to refreshes are held; `nil` for the server's default.
    package var refusalHold: Duration?
    package var seed: UInt64 = 1
    package var accounts: [Account] = []
    /// The header field by which a request names its device.
    package var deviceHeader: String?
    package var tokens = TokenRules()
    /// The position of the backend's issuer, also for the parts that it defines.
    package var issuerPosition: JSONPosition?
    package var states: [StateDeclaration] = []
    package var counters: [CounterDeclaration] = []
    /// The stored items, including the accounts.
    package var collections: [ItemCollection] = []
    /// Guards that look before the tokens are judged, in order.
    package var earlyGuards: [Guard] = []
    /// Guards that look after the tokens were accepted, in order.
    package var lateGuards: [Guard] = []
    package var routes: [Route] = []
    /// The origins whose pages may send requests, for browsers; `nil` if not set.
    package var crossOrigin: CrossOrigin?
    package var unmatched: Fallback?
    package var wrongMethod: Fallback?
    package var invalidRequest: StubResponse?
    package var given: [PastEvent] = []
    /// The processes of the client that share its store; empty for a client of one.
    package var processes: [ProcessDeclaration] = []
    package var timeline: [TimelineEntry] = []
    package var expectations: [Expectation] = []
    /// Rules that are not passed, each with its reason.
    package var exemptions: [Exemption] = []
    /// Where requests wait for each other, in the order of the file.
    package var gates: [Gate] = []
    /// The other servers of the story.
    package var origins: [Origin] = []
    /// The story's additions to its backend, which must be played.
    package var parts: [StoryPart] = []

    package init(backend: String) {
        self.backend = backend
    }
}

/// The heading of a story.
package struct Story: Sendable {
    package var id: String
    package var title: String
    package var about: String
    /// The bugs that the story brings back, such as `app/B3`.
    package var reproduces: [String]
    /// The rules that a client with those bugs fails, by number, each once.
    package var bugClasses: [RuleName] = []
    /// A Boolean value that indicates whether those bugs are only visible on the screen: no request or stored item shows
    /// of them.
    package var isUIOnly = false
    /// A Boolean value that indicates whether a correct client sends nothing at all.
    package var isSilent = false
    /// The variants of the story's file, by name; each is run separately, with the ID `STORY/VARIANT`.
    package var variants: [String] = []
    /// Which variant this is; `nil` for the story itself.
    package var variant: String?

    /// Takes the place of one of the variants of its file.
    mutating func become(variant: String?, of variants: [String]) {
        self.variants = variants
        self.variant = variant
        if let variant { id += "/\(variant)" }
    }
}

/// A user of the backend.
package struct Account: Sendable {
    package var name: String
    /// The data of the user, for placeholders and claims.
    package var data: JSONObject
}

/// The start and the rate of a scenario's clock.
package struct ClockSettings: Sendable, Hashable {
    /// `nil`: the real now.
    package var start: VirtualTime?
    package var mode = ClockMode.running(rate: 1)
    /// The offset of the `Date` header.
    package var skew = Duration.zero
}

/// The mode of virtual time.
package enum ClockMode: Sendable, Hashable {
    /// So many virtual seconds pass in a real one.
    case running(rate: Double)
    /// Only commands move it.
    case frozen
    /// It stands still, and jumps to the next due event when every open request waits for one.
    case automatic
}

/// A named state, its values in the order of the file, and whose it is.
package struct StateDeclaration: Sendable {
    /// The owner of the state: one shared value, or one for each device or account.
    package enum Scope: String, Sendable, CaseIterable {
        case session
        case account
        case device
    }

    package var name: String
    /// Every value; the first is where it begins.
    package var values: [String]
    package var scope: Scope
}

/// A counter and the number that it begins with.
package struct CounterDeclaration: Sendable {
    package var name: String
    package var start: Int
}

/// The OpenAPI file that documents a backend, as the scenario names it.
package struct ContractReference: Sendable, Hashable {
    /// The file's path as the user would write it, from where the scenario was loaded.
    package var path: String
    /// The place where the scenario names it.
    package var position: JSONPosition
}

/// The handling of a request that the contract does not document.
package enum UndocumentedRule: String, Sendable, Hashable, CaseIterable {
    /// It is answered as scripted, and nothing is said.
    case allow
    /// It is answered as scripted, and reported.
    case warn
    /// It is answered with a problem, before it changes anything.
    case refuse
}

/// The source of responses for operations of the contract without a route.
package enum FillRule: String, Sendable, Hashable, CaseIterable {
    /// The contract's examples, and values made from its schemas where it has none.
    case examples
    /// Values made from the contract's schemas.
    case schema
    /// From nowhere: such a request matches no route.
    case off
}

/// Another server of the story, such as an image host or a third party, with a separate listener.
package struct Origin: Sendable {
    package var name: String
    package var routes: [Route]
    /// The kinds of token that belong there; any other one that arrives has been sent to the wrong host.
    package var acceptedKinds: [String]
    package var position: JSONPosition

    package init(name: String, routes: [Route], acceptedKinds: [String] = [], position: JSONPosition = .unknown) {
        self.name = name
        self.routes = routes
        self.acceptedKinds = acceptedKinds
        self.position = position
    }
}

/// A rule that a story does not pass on its client, and why.
package struct Exemption: Sendable, Hashable {
    package var rule: RuleName
    package var reason: String
    package var position: JSONPosition
}

extension ObjectShape {
    /// The member that every object may have and nobody reads.
    static let comment = "$comment"

    /// The objects of the format, whose raw values name the definitions in the published JSON Schema.
    package enum Name: String, Sendable, CaseIterable {
        case scenario
        case variant
        case clock
        case devices
        case state
        case collection
        case selection
        case pageAfter
        case pageFrom
        case pageNumber
        case tokens
        case tokenKind
        case foreignKind
        case rotation
        case signOutRule
        case headerCarrier
        case bodyCarrier
        case queryCarrier
        case requirement
        case route
        case fallback
        case branch
        case guardRule
        case reply
        case defaults
        case fixedLatency
        case uniformLatency
        case logNormalLatency
        case logNormal
        case dribble
        case bandwidth
        case fault
        case signIn
        case origin
        case hold
        case routeHold
        case answered
        case condition
        case matcher
        case length
        case uploadTest
        case openRequests
        case signInEvent
        case signOutEvent
        case expireEvent
        case revokeEvent
        case forgetEvent
        case issueEvent
        case stateEvent
        case counterEvent
        case faultEvent
        case advanceEvent
        case setEvent
        case freezeEvent
        case rateEvent
        case automaticEvent
        case skewEvent
        case launchEvent
        case createEvent
        case updateEvent
        case deleteEvent
        case uploadEvent
        case afterExchange
        case requestExpectation
        case clientExpectation
        case stateExpectation
        case tokenExpectation
        case itemExpectation
        case orderExpectation
        case exitExpectation
        case count
        case gap
        case requestPattern
    }
}

extension ObjectShape.Name {
    /// The shape that goes by this name.
    package var shape: ObjectShape { Self.shapes[self] ?? ObjectShape([]) }

    private static let shapes = Dictionary(
        uniqueKeysWithValues: allCases.map { ($0, $0.makeShape()) }
    )

    private func makeShape() -> ObjectShape {
        switch self {
        case .scenario: .scenario
        case .variant: .variant
        case .clock: .clock
        case .devices: .devices
        case .state: .state
        case .collection: .collection
        case .selection: .selection
        case .pageAfter: .pageAfter
        case .pageFrom: .pageFrom
        case .pageNumber: .pageNumber
        case .tokens: .tokens
        case .tokenKind: .tokenKind
        case .foreignKind: .foreignKind
        case .rotation: .rotation
        case .signOutRule: .signOutRule
        case .headerCarrier: .headerCarrier
        case .bodyCarrier: .bodyCarrier
        case .queryCarrier: .queryCarrier
        case .requirement: .requirement
        case .route: .route
        case .fallback: .fallback
        case .branch: .branch
        case .guardRule: .guardRule
        case .reply: .reply
        case .defaults: .defaults
        case .fixedLatency: .fixedLatency
        case .uniformLatency: .uniformLatency
        case .logNormalLatency: .logNormalLatency
        case .logNormal: .logNormal
        case .dribble: .dribble
        case .bandwidth: .bandwidth
        case .fault: .fault
        case .signIn: .signIn
        case .origin: .origin
        case .hold: .hold
        case .routeHold: .routeHold
        case .answered: .answered
        case .condition: .condition
        case .matcher: .matcher
        case .length: .length
        case .uploadTest: .uploadTest
        case .openRequests: .openRequests
        case .signInEvent: .signInEvent
        case .signOutEvent: .signOutEvent
        case .expireEvent: .tokenEvent("expire", "Lets tokens expire now, whatever their lifetime.")
        case .revokeEvent: .tokenEvent("revoke", "Makes the server refuse tokens that have not expired.")
        case .forgetEvent: .tokenEvent("forget", "Empties the server's stored copy; the tokens themselves live on.")
        case .issueEvent: .issueEvent
        case .stateEvent: .stateEvent
        case .counterEvent: .counterEvent
        case .faultEvent: .faultEvent
        case .advanceEvent: .advanceEvent
        case .setEvent: .setEvent
        case .freezeEvent: .freezeEvent
        case .rateEvent: .rateEvent
        case .automaticEvent: .automaticEvent
        case .skewEvent: .skewEvent
        case .launchEvent: .launchEvent
        case .createEvent: .createEvent
        case .updateEvent: .updateEvent
        case .deleteEvent: .deleteEvent
        case .uploadEvent: .uploadEvent
        case .afterExchange: .afterExchange
        case .requestExpectation: .requestExpectation
        case .clientExpectation: .clientExpectation
        case .stateExpectation: .stateExpectation
        case .tokenExpectation: .tokenExpectation
        case .itemExpectation: .itemExpectation
        case .orderExpectation: .orderExpectation
        case .exitExpectation: .exitExpectation
        case .count: .count
        case .gap: .gap
        case .requestPattern: .requestPattern
        }
    }

    /// The object in a sentence, with its article.
    var article: String {
        switch self {
        case .scenario: "a scenario file"
        case .variant: "a variant"
        case .clock: "\"clock\""
        case .devices: "\"devices\""
        case .state: "a state"
        case .collection: "a collection"
        case .selection: "a selection"
        case .pageAfter, .pageFrom, .pageNumber: "\"page\""
        case .tokens: "\"tokens\""
        case .tokenKind: "a token kind"
        case .foreignKind: "a foreign token kind"
        case .rotation: "\"rotate\""
        case .signOutRule: "\"signOut\""
        case .headerCarrier, .bodyCarrier, .queryCarrier: "a token's \"in\""
        case .requirement: "a token requirement"
        case .route: "a route"
        case .fallback: "an answer without a route"
        case .branch: "a case"
        case .guardRule: "a guard"
        case .reply: "a reply"
        case .defaults: "\"defaults\""
        case .fixedLatency, .uniformLatency, .logNormalLatency: "\"latency\""
        case .logNormal: "\"logNormal\""
        case .dribble: "\"dribble\""
        case .bandwidth: "\"bandwidth\""
        case .fault: "\"fault\""
        case .signIn: "\"signIn\""
        case .origin: "an origin"
        case .hold, .routeHold: "\"hold\""
        case .answered: "\"until\""
        case .condition: "a condition"
        case .matcher: "a matcher"
        case .length: "\"length\""
        case .uploadTest: "\"upload\""
        case .openRequests: "\"inFlight\""
        case .afterExchange: "\"after\""
        case .requestExpectation, .clientExpectation, .stateExpectation, .tokenExpectation, .itemExpectation,
            .orderExpectation, .exitExpectation:
            "an expectation"
        case .count: "\"count\""
        case .gap: "\"gap\""
        case .requestPattern: "a request pattern"
        default: "\("aeiou".contains(shape.verb.prefix(1)) ? "an" : "a") \"\(shape.verb)\" event"
        }
    }

    /// What the object is for, for editors.
    package var summary: String {
        switch self {
        case .scenario: "a backend or a story"
        case .variant: "what a variant changes in its story"
        case .clock: "how the scenario's clock begins and runs"
        case .devices: "how a request names its device"
        case .state: "a named state, its values, and whose it is"
        case .collection: "what the backend stores of one sort"
        case .selection: "which items of a collection are meant, and what a reader sees of them"
        case .pageAfter: "a page that follows an item"
        case .pageFrom: "a page that begins with an item"
        case .pageNumber: "a page by its number"
        case .tokens: "the backend's token rules"
        case .tokenKind: "one kind of token"
        case .foreignKind: "a kind of token that somebody else issues"
        case .rotation: "what happens to a token that was exchanged for a new one"
        case .signOutRule: "what the server does with a device's tokens when it signs out"
        case .headerCarrier: "a token in a header field, with or without a scheme"
        case .bodyCarrier: "a token in the JSON body"
        case .queryCarrier: "a token in the query"
        case .requirement: "what a token must be for this route"
        case .route: "what is answered on one method and path"
        case .fallback: "what is answered where no route is"
        case .branch: "an answer for requests that meet a condition"
        case .guardRule: "a check on every route"
        case .reply: "one answer"
        case .defaults: "what every route has unless it says otherwise"
        case .fixedLatency: "a constant wait"
        case .uniformLatency: "a wait drawn evenly from a range"
        case .logNormalLatency: "a wait with a long tail, as networks have it"
        case .logNormal: "a log-normal distribution by its median and either its p99 or its sigma"
        case .dribble: "a body that trickles in"
        case .bandwidth: "a slow line"
        case .fault: "a connection that breaks"
        case .signIn: "a sign-in that starts a token family"
        case .origin: "another server of the story"
        case .hold: "a place where requests wait for each other"
        case .routeHold: "a place where a route's requests wait for each other"
        case .answered: "the answer that lets held requests go"
        case .condition: "what must hold, all of it"
        case .matcher: "what one value must be, all of it"
        case .length: "how long"
        case .uploadTest: "what uploaded parts are like"
        case .openRequests: "how many requests are being answered"
        case .signInEvent: "a device signs in without a request"
        case .signOutEvent: "a device signs out"
        case .expireEvent, .revokeEvent, .forgetEvent, .issueEvent: "something happens to tokens"
        case .stateEvent: "states change"
        case .counterEvent: "counters are set"
        case .faultEvent: "the next requests of a route meet a fault"
        case .advanceEvent, .setEvent, .freezeEvent, .rateEvent, .automaticEvent, .skewEvent: "the clock is steered"
        case .launchEvent: "the client is started again"
        case .createEvent: "a collection gets new items"
        case .updateEvent: "items of a collection change"
        case .deleteEvent: "items of a collection go"
        case .uploadEvent: "files that were sent are kept"
        case .afterExchange: "an exchange that triggers an event"
        case .requestExpectation: "what the client should have sent"
        case .clientExpectation: "what the client should have reported"
        case .stateExpectation: "the states at the end"
        case .tokenExpectation: "a device's token at the end"
        case .itemExpectation: "how many stored items there are at the end"
        case .orderExpectation: "exchanges in their order"
        case .exitExpectation: "how the client's command ends"
        case .count: "how many"
        case .gap: "how far apart"
        case .requestPattern: "which exchanges are meant"
        }
    }
}

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
        case response
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
        case .response: .response
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
}

extension ClientTest {
    /// What a test consists of.
    package enum Part: String, Sendable, Hashable, CaseIterable {
        /// Every operation with every documented answer, and with connections that break.
        case responses
        /// Every response with every variant that its schema allows.
        case variants
        /// The matrix again, over the platform's own networking.
        case urlsession
        /// Every story of the client's folder.
        case stories
    }
}

extension ClientTest.Part {
    /// The ids of all that the part can find; none for stories, whose findings go with the story.
    var faults: [String] {
        switch self {
        case .responses, .urlsession: ResponseCheckFault.allCases.map(\.rawValue)
        case .variants: VariantCheckFault.allCases.map(\.rawValue)
        case .stories: []
        }
    }
}

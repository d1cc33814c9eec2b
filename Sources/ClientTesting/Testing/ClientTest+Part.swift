extension ClientTest {
    /// What a test consists of.
    package enum Part: String, Sendable, Hashable, CaseIterable {
        /// Every operation with every documented answer, and with connections that break.
        case matrix
        /// Every response with every variant that its schema allows.
        case sweep
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
        case .matrix, .urlsession: MatrixFault.allCases.map(\.rawValue)
        case .sweep: SweepFault.allCases.map(\.rawValue)
        case .stories: []
        }
    }
}

package import Basics
package import HTTPCodec
package import JSON
package import ScenarioFormat

/// Reads the contracts that scenarios name.
///
/// A server knows contracts by these protocols only, so that a program which has none compiles nothing of them.
package protocol ContractReader: Sendable {
    /// Reads a contract and everything that it refers to.
    ///
    /// - Parameter overlays: files of changes that are laid over it, in this order.
    /// - Throws: ``ScenarioFormat/ScenarioError`` when it cannot be used at all.
    func contract(
        at path: String,
        files: any FileReading,
        project: ProjectRoot,
        overlays: [String]
    ) throws(ScenarioError) -> any ServedContract

    /// The options of a command that reads contracts in the same way.
    var options: [String] { get }
}

/// A contract that was read, for every scenario that names it.
package protocol ServedContract: Sendable {
    /// The file's path as the user wrote it.
    var path: String { get }
    var title: String { get }
    /// Resolved paths of the files that it was read from.
    var watched: [String] { get }
    /// Its findings that do not prevent its use.
    var findings: [Finding] { get }
    var operationCount: Int { get }
    /// The backend file of the issuer whose flows it documents; `nil` where it documents none.
    var issuer: JSONValue? { get }

    /// Makes ready now what the first request needs.
    func prepare()

    /// Puts the contract to work next to a scenario.
    func enforcer(nextTo loaded: LoadedScenario, _ terms: ContractTerms) -> any ContractEnforcer
}

/// The use of a contract.
package struct ContractTerms: Sendable {
    package var mode: ContractMode
    package var fill: FillRule
    /// A Boolean value that indicates whether requests without the credentials that their operation documents are
    /// refused.
    package var asksCredentials = false
    /// A Boolean value that indicates whether values must be of their `format`.
    package var assertsFormats = false
    /// The place where the lines of fixtures are looked up that a response comes from.
    package var files: any FileReading

    package init(mode: ContractMode, fill: FillRule, files: any FileReading) {
        (self.mode, self.fill, self.files) = (mode, fill, files)
    }
}

/// The handling of contract violations of requests and responses.
package enum ContractMode: String, Sendable, CaseIterable {
    /// They are answered as scripted, and reported.
    case warn
    /// A request is refused before it changes anything; a response is replaced by a problem.
    case enforce
    /// Nothing is checked against the contract.
    case off
}

/// A contract at work next to a scenario: judges its requests and responses, and answers what the scenario does not.
package protocol ContractEnforcer: AnyObject, Sendable {
    var source: any ServedContract { get }
    var terms: ContractTerms { get }
    /// The operations that it answers where the scenario has no route.
    var filledOperations: [String] { get }

    /// The contract's evaluation of a request, before any decision.
    func consult(_ request: HTTPRequest) -> RequestConsultation
}

/// A contract's evaluation of one request, for later steps.
///
/// A class, because every request is passed on with it, and few have one; it never changes.
package final class RequestConsultation: Sendable {
    package let evaluation: ContractEvaluation
    private let reviewer: (@Sendable (Decision) -> ResponseReview?)?

    /// - Parameter reviewer: checks the response against the contract; `nil` if it has no such operation.
    package init(_ evaluation: ContractEvaluation, reviewer: (@Sendable (Decision) -> ResponseReview?)?) {
        (self.evaluation, self.reviewer) = (evaluation, reviewer)
    }

    /// The note about the response; `nil` without one.
    package func review(_ decision: Decision) -> ResponseReview? { reviewer?(decision) }
}

/// The findings about a response, and its replacement.
package struct ResponseReview: Sendable {
    package var violations: [Violation]
    package var replacement: HTTPResponse?

    package init(violations: [Violation], replacement: HTTPResponse? = nil) {
        (self.violations, self.replacement) = (violations, replacement)
    }
}

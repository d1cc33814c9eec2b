import Basics
import HTTPCodec
import Rules
import Simulation

/// What the contract does not allow in requests and responses.
///
/// A request is the client's, so it weighs what it weighs in the contract. A response is the scenario's, and a client is
/// not failed for it: it is a warning here, and an error of `check`. What breaks the contract on purpose is none.
extension StoryPlay {
    var contractChecks: [StoryCheck] {
        let findings = locatedFindings
        guard !findings.isEmpty else {
            return isHeldAgainstContract ? [StoryCheck(.held, id: "contract", "requests as the contract has them")] : []
        }
        return findings.grouped.map { id, findings in
            let isFailed = findings.contains { $0.severity == .error }
            let name = "\(id.split(separator: "/").last ?? "") as the contract has it"
            var check = StoryCheck(isFailed ? .failed : .held, id: id, name, findings)
            check.exchanges = findings.compactMap { $0.place?.exchange.map { UInt64(clamping: $0) } }
            return check
        }
    }

    /// The findings, each with the route that it is about.
    private var locatedFindings: [Finding] {
        let findings = recording.contractFindings
        guard !findings.isEmpty else { return [] }
        let exchanges = recording.evidence.exchanges
        let places = Dictionary(exchanges.indices.map { (Int(clamping: exchanges[$0].number), $0) }) { first, _ in first
        }
        return findings.map { finding in
            guard let index = finding.place?.exchange.flatMap({ places[$0] }) else { return finding }
            let exchange = exchanges[index]
            var finding = finding
            finding.place?.operation =
                exchange.route ?? "\(exchange.request.method) \(exchange.request.path)".printable.shortened
            return finding
        }
    }
}

import Basics
import Checking
import JSONSchema
import OpenAPI

extension ResponseCheckEvaluator {
    /// Returns whether the request carries the token that the client should have by now.
    func judgeToken(
        of exchange: RecordedRequest,
        for operation: Operation,
        in cell: ResponseCheckPlan.Cell,
        _ ledger: SessionLedger,
        _ verdict: inout Verdict
    ) {
        let kind: String
        if roles.refresh.contains(operation.id) {
            kind = roles.kinds.refresh
        } else if roles.requiresToken(operation) {
            kind = roles.kinds.access
        } else {
            return
        }
        if !roles.refresh.contains(operation.id),
            let old = ledger.replaced.first(where: { exchange.request.carries($0.token) })
        {
            let message = "\(operation.id) was sent again with the \(old.kind) token that the refresh has replaced"
            let advice = "build the repeated request from the stored tokens"
            verdict.warn(.notReplayed, message, at: place(of: cell), advice: advice)
        }
        guard let token = ledger.tokens[kind], !ledger.isUncertain, !ledger.isUnknown, !exchange.request.carries(token),
            !CapturedStrings.request(exchange.request).contains(where: { ledger.isGrantedInField($0.value) })
        else { return }
        let id = operation.id
        if ledger.hasGranted {
            let message = "\(id) was sent again without the \(kind) token from the refresh"
            verdict.add(.notReplayed, message, at: place(of: cell))
        } else {
            let message = "\(id) is sent without the stored \(kind) token"
            verdict.add(.request, message, at: place(of: operation))
        }
    }

    /// Warns of a token in a request to the URL of a response, for which any server may be named.
    ///
    /// A host of the same site may belong to the API, and so may any host if the contract names no server.
    func judgeTokensElsewhere(
        of call: MadeCall,
        in cell: ResponseCheckPlan.Cell,
        _ ledger: SessionLedger,
        _ verdict: inout Verdict
    ) {
        let sites = Set(
            contract.allServers.compactMap { server in (try? ServerURL(server.url)).map { Self.site(of: $0.host) } }
        )
        let tokens = Set(call.storedBefore.values).union(ledger.tokens.values).filter { !$0.isEmpty }
        guard !sites.isEmpty, !tokens.isEmpty else { return }
        for (host, values) in call.links.fieldsByHost.sorted(by: { $0.key < $1.key })
        where host != PlausibleTexts.host && !sites.contains(Self.site(of: host)) {
            guard values.contains(where: { value in tokens.contains { value.hasCredential($0) } }) else { continue }
            let message = "\(cell.name) sends a token of the session to \(host), which only the URL of a response names"
            let advice = "send the token only to the servers of the contract, or list the host among them"
            verdict.warn(.request, message, at: place(of: cell.operation), advice: advice)
        }
    }

    /// The last two labels of a host.
    private static func site(of host: String) -> String {
        host.lowercased().split(separator: ".").suffix(2).joined(separator: ".")
    }
}

extension String {
    /// Returns whether a field has a credential: as the whole value, behind a scheme, or as the value of a cookie.
    fileprivate func hasCredential(_ token: String) -> Bool {
        exact == token.exact || hasSuffix(" \(token)") || utf8.contains("=\(token)".utf8)
    }
}

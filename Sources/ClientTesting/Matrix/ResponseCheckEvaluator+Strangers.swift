import Basics
import Checking
import HTTPCodec
import JSON
import JSONSchema
import OpenAPI

extension ResponseCheckEvaluator {
    /// Judges members of a body that the contract allows, as it has not said that there are no others, and does not name.
    ///
    /// One that is nearly the name of a member that is not sent is a slip.
    func judgeStrangers(in request: HTTPRequest, for operation: Operation, _ verdict: inout Verdict) {
        guard !request.body.isEmpty,
            request.fields["Content-Type"].flatMap(MediaType.init(parsing:))?.isJSON == true,
            let content = operation.requestBody?.content.byPreference.first(where: { $0.concreteType.isJSON }),
            let reference = content.schema, let schema = contract.schemas.schema(reference),
            let body = try? JSONParser().parse(request.body).root
        else { return }
        for stranger in sampler.strangers(in: body, of: reference.uri, validBy: schema) {
            let meant = Suggestion.nearest(to: stranger.name, among: stranger.missing)
            let finding = Finding(
                meant == nil ? .warning : .error,
                id: ResponseCheckFault.request.rawValue,
                "\(operation.id) is sent with \(stranger.place.description.printable), which the contract does not name",
                at: contract.place(of: content.position, operation: operation.label),
                advice: meant.map { "did you mean \($0)?" } ?? "document it, or leave it out"
            )
            verdict.findings.append(finding)
        }
    }
}

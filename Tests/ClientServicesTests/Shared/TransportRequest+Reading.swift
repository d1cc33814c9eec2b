import ClientServices
import Foundation

extension TransportRequest {
    /// The method and the path, without the query: `GET /post`.
    var line: String { "\(method.rawValue) \(url.path)" }

    /// The value of a query item.
    func query(_ name: String) -> String? {
        URLComponents(url: url, resolvingAgainstBaseURL: true)?.queryItems?.first { $0.name == name }?.value
    }

    /// What the request is authorized with.
    var access: String? { fields["Authorization"] }

    /// The body as text.
    var text: String { String(decoding: body ?? Data(), as: UTF8.self) }
}

import HTTPCodec

/// The media types that a client takes, from its `Accept` fields (RFC 9110, section 12.5.1).
struct AcceptedTypes: Sendable {
    private struct Range: Sendable {
        var type: MediaType
        /// Without the weight.
        var parameters: [MediaType.Parameter]
        var quality: Double

        var specificity: Int {
            type.type == "*" ? 0 : type.isRange ? 1 : 2 + parameters.count
        }
    }

    /// Empty: everything.
    private var ranges: [Range] = []

    init(_ fields: HTTPFields) {
        guard let value = fields.joinedValue(of: "Accept") else { return }
        // More of them than anybody sends say nothing more.
        for item in value.split(separator: ",").prefix(100) {
            guard let type = MediaType(parsing: String(item)) else { continue }
            let weight = type.parameter("q").flatMap(Double.init) ?? 1
            ranges.append(
                Range(
                    type: type,
                    parameters: type.parameters.filter { $0.name != "q" },
                    quality: min(max(weight, 0), 1)
                )
            )
        }
    }

    /// How much a client wants a media type, from 0 for not at all to 1; the most specific range says so.
    func quality(of type: MediaType) -> Double {
        guard !ranges.isEmpty else { return 1 }
        var best: (specificity: Int, quality: Double)?
        for range in ranges where type.lies(in: range.type) {
            let isCloser = range.parameters.allSatisfy { wanted in
                type.parameter(wanted.name)?.lowercased() == wanted.value.lowercased()
            }
            // A parameter that is documented nowhere, such as a version or a charset, keeps nobody from an answer.
            let specificity = isCloser ? range.specificity : 2
            if specificity > best?.specificity ?? -1 { best = (specificity, range.quality) }
        }
        return best?.quality ?? 0
    }

    /// The type that a client names and that lies in a documented range such as `text/*`.
    func concreteType(in range: MediaType) -> MediaType? {
        let named = ranges.filter { $0.quality > 0 && !$0.type.isRange && $0.type.lies(in: range) }
        return named.max { $0.quality < $1.quality }.flatMap { MediaType(parsing: $0.type.essence) }
    }
}

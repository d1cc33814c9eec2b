import HTTPCodec
import JSON
import JSONSchema

/// Judges one documented header of a request, a response or a part of a form.
struct HeaderEvaluation {
    let judge: ContractEvaluator
    let header: Parameter
    let direction: SchemaDirection
    /// The object that documents it.
    let documentedAt: DocumentedPlace
    /// Names the header's bearer in sentences, such as ` of the part "file"`.
    var owner = ""

    func judge(_ fields: HTTPFields, into list: inout ViolationList) {
        let rule = ParameterEvaluation(
            judge: judge,
            parameter: header,
            part: .header(header.name),
            direction: direction,
            documentedAt: documentedAt,
            owner: owner
        )
        let values = fields.values(of: header.name)
        guard !values.isEmpty else {
            rule.reportMissing("contract/missing-header", in: &list)
            return
        }
        if let content = header.content {
            rule.judge(content: content, text: values[0], as: "contract/invalid-header", into: &list)
            return
        }
        rule.judge(read(values, shape: rule.shape), as: "contract/invalid-header", into: &list)
    }

    private func read(_ values: [String], shape: ValueShape) -> [WireValue] {
        // Repeated Set-Cookie fields are no list, and their values have commas (RFC 9110, section 5.3).
        if FieldName.isSame(header.name, "Set-Cookie") {
            let texts = values.map(WireValue.text)
            return shape.kinds.isDisjoint(with: .scalars) ? [.list(texts)] : [texts[0]]
        }
        return StyledText(text: values.joined(separator: ", "), isPercentEncoded: false)
            .values(style: .simple, explode: header.explode, name: header.name, kinds: shape.kinds)
    }
}

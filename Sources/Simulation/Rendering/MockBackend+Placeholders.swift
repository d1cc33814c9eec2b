import Basics
import HTTPCodec
import JSON
import ScenarioFormat

extension MockBackend {
    mutating func render(_ template: TextTemplate, in context: inout ExchangeContext) -> String {
        template.text { valueIfAny(of: $0, in: &context) } ?? ""
    }

    mutating func render(_ template: ValueTemplate, in context: inout ExchangeContext) -> [UInt8] {
        template.bytes { valueIfAny(of: $0, in: &context) }
    }

    mutating func render(_ headers: [HeaderTemplate], to fields: inout HTTPFields, in context: inout ExchangeContext) {
        headers.append(to: &fields) { valueIfAny(of: $0, in: &context) }
    }

    /// Makes a value; `nil` for one that is left out.
    mutating func value(of template: TreeTemplate, in context: inout ExchangeContext) -> JSONValue? {
        template.value { valueIfAny(of: $0, in: &context) }
    }

    /// The same, but for a lone placeholder without a value it is `nil` instead of null.
    mutating func valueIfAny(of template: TreeTemplate, in context: inout ExchangeContext) -> JSONValue? {
        template.valueIfAny { valueIfAny(of: $0, in: &context) }
    }

    /// The value of a placeholder in an exchange; `nil` where neither the source nor a fallback has one.
    mutating func valueIfAny(of placeholder: Placeholder, in context: inout ExchangeContext) -> JSONValue? {
        ownValue(of: placeholder, in: &context) ?? placeholder.fallback
    }

    /// The value of the first source that has one, converted to the requested type.
    private mutating func ownValue(of placeholder: Placeholder, in context: inout ExchangeContext) -> JSONValue? {
        if let value = value(of: placeholder.source, as: placeholder.conversion, in: &context) { return value }
        for alternative in placeholder.alternatives {
            if let value = value(of: alternative.source, as: alternative.conversion, in: &context) { return value }
        }
        return nil
    }

    private mutating func value(
        of source: Placeholder.Source,
        as conversion: Placeholder.Conversion?,
        in context: inout ExchangeContext
    ) -> JSONValue? {
        let value = sourceValue(source, in: &context)
        guard let conversion else { return value }
        return value.flatMap { conversion.value(of: $0) }
    }

    /// The first of a response's demands that a request cannot fill, so that no response is made half.
    mutating func unfillable(_ placeholders: [Placeholder], in context: inout ExchangeContext) -> Placeholder? {
        for placeholder in placeholders where ownValue(of: placeholder, in: &context) == nil { return placeholder }
        return nil
    }

    private mutating func sourceValue(_ source: Placeholder.Source, in context: inout ExchangeContext) -> JSONValue? {
        switch source {
        case .constant(let value): value
        case .request(let part): context.value(of: part)
        case .wholeBody: context.request.wholeBody()
        case .base: .string(context.request.request.base)
        case .target: .string(context.request.request.target)
        case .path: .string(context.request.request.path)
        case .presented(let kind, let pointer):
            context.presentedToken(of: kind, ledger).flatMap { pointer.value(in: $0.facts) }
        case .token(let kind, let aspect): context.granted(kind)?.value(of: aspect)
        case .issued(let pointer): context.issued.flatMap { pointer.value(in: $0.facts) }
        case .keySet: keys.document(for: played.scenario.tokens, at: context.now)
        case .proof(let aspect): context.proofValue(aspect, &proofs, played.scenario.tokens)
        case .clock(let format, let offset): timestamps.value(of: context.now + offset, as: format)
        case .counter(let name): .number(JSONNumber(countOn(name)))
        case .currentCounter(let name): .number(JSONNumber(counters[name] ?? 0))
        case .randomInteger(let range): .number(JSONNumber(context.chance.integer(in: range)))
        case .randomHex(let digits): .string(context.chance.hex(digits: digits))
        case .randomChoice(let values): values[context.chance.integer(in: 0...(values.count - 1))]
        case .uuid: .string(context.chance.uuid())
        case .accountData(let pointer): accountData(of: context.account).flatMap { pointer.value(in: $0) }
        case .state(let name): .string(states.value(of: name, device: context.device, account: context.account) ?? "")
        case .sessionName: .string(self.name)
        case .exchangeNumber: .number(JSONNumber(Int(clamping: context.number)))
        case .found(let name, let pointer): foundValue(name, at: pointer, in: &context)
        case .foundAccountName(let name):
            context.foundNumber(of: name).flatMap { context.found[$0].items.accountName }.map(JSONValue.string)
        case .item(let pointer): context.item.flatMap { pointer.value(in: $0) }
        case .uploadedPart(let aspect): context.uploadedPart?.value(of: aspect)
        case .element(let pointer): context.element.flatMap { pointer.value(in: $0) }
        case .originURL(let name): .string(originURLs[name] ?? "")
        case .rate(let aspect): context.rate?.value(of: aspect)
        case .arithmetic(let computation): computed(computation, in: &context)
        }
    }

    private mutating func computed(_ computation: Arithmetic, in context: inout ExchangeContext) -> JSONValue? {
        computation.result { valueIfAny(of: $0, in: &context) }.map(JSONValue.number)
    }

    private mutating func countOn(_ name: String) -> Int {
        let next = (counters[name] ?? 0).addingReportingOverflow(1).partialValue
        counters[name] = next
        return next
    }
}

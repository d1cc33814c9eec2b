import JSON

extension PlaceholderParser {
    /// What is found, made or kept in collections.
    func stored(_ name: String) throws(Problem) -> Placeholder.Source? {
        if name == "item" || name.utf8.starts(with: "item#".utf8) {
            guard vocabulary.hasItem else {
                throw Problem(
                    message: "there is no item here",
                    advice: "\"item\" is the item that an \"embed\" or the \"when\" of a selection is about"
                )
            }
            return .item(try pointer(name.dropping("item#", orNothing: true) ?? ""))
        }
        if name == "each" || name.utf8.starts(with: "each#".utf8) {
            guard vocabulary.hasElement else {
                throw Problem(
                    message: "there is no element here",
                    advice: "\"each\" is the element for which an event with \"each\" happens"
                )
            }
            return .element(try pointer(name.dropping("each#", orNothing: true) ?? ""))
        }
        if let aspect = name.dropping("part.") { return .uploadedPart(try uploadAspect(aspect)) }
        guard let rest = name.dropping("found.") else { return nil }
        let parts = PlaceholderText.split(rest[...], at: "#", limit: 2).map(String.init)
        if parts.count == 2 {
            let (found, pointer) = (try found(parts[0]), try pointer(parts[1]))
            if let problem = found.problem(with: pointer) { throw problem }
            return .found(found.name, pointer)
        }
        if let account = rest.droppingSuffix(".name") {
            guard try found(account).isAccount else {
                throw Problem(message: "only an account has a name", advice: "write {{found.\(account)#/name}}")
            }
            return .foundAccountName(account)
        }
        return .found(try found(rest).name, JSONPointer())
    }

    private func found(_ name: String) throws(Problem) -> FoundName {
        guard let found = vocabulary.found.first(where: { $0.name.hasSameUTF8(as: name) }) else {
            let known = vocabulary.found.map(\.name)
            throw Problem(
                message: "nothing is found here by the name \"\(name)\"",
                advice: Self.advice(for: name, among: known) ?? "\"find\" of the route says what is"
            )
        }
        return found
    }

    private func uploadAspect(_ name: String) throws(Problem) -> Placeholder.UploadAspect {
        guard vocabulary.hasUpload else {
            throw Problem(
                message: "there is no uploaded part here",
                advice:
                    "\"part.\(name)\" belongs to the \"path\" of an upload; a part of the request is \"request.part.NAME\""
            )
        }
        guard let aspect = Placeholder.UploadAspect(rawValue: name) else {
            throw Problem(
                message: "an uploaded part has no \"\(name)\"",
                advice: Self.advice(for: name, among: Placeholder.UploadAspect.allCases.map(\.rawValue))
            )
        }
        return aspect
    }
}

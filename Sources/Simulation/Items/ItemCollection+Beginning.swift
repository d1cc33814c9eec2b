import JSON
package import ScenarioFormat

extension ItemCollection {
    /// What its items begin as, written in one way, so that two versions of a collection can be compared.
    fileprivate var beginning: [UInt8] {
        var bytes = Array(scope.rawValue.utf8)
        for item in items {
            for part in item.complete.parts {
                switch part {
                case .bytes(let fixed): bytes += fixed
                case .value(let placeholder): bytes += "\u{1}\(placeholder.text)\u{1}".utf8
                case .fragment(let placeholder): bytes += "\u{2}\(placeholder.text)\u{2}".utf8
                }
            }
            bytes.append(0)
        }
        return bytes
    }
}

extension Scenario {
    /// The collections that begin as they do in another version of the scenario, by name.
    func collectionsBeginning(asIn other: Scenario) -> [String] {
        collections.compactMap { collection in
            guard let former = other.collections.first(where: { $0.name.hasSameUTF8(as: collection.name) }) else {
                return nil
            }
            let isSame =
                collection.name.hasSameUTF8(as: ItemCollection.accounts)
                ? accountsBegin(asIn: other) : collection.beginning == former.beginning
            return isSame ? collection.name : nil
        }
    }

    /// The collections whose items do not outlive a change from another version of the scenario to this one.
    package func collectionsStartingAnew(after former: Scenario) -> [String] {
        let kept = collectionsBeginning(asIn: former)
        return collections.map(\.name).filter { name in
            former.collections.contains { $0.name.hasSameUTF8(as: name) } && !kept.contains(where: name.hasSameUTF8)
        }
    }

    private func accountsBegin(asIn other: Scenario) -> Bool {
        accounts.elementsEqual(other.accounts) { $0.name.hasSameUTF8(as: $1.name) && $0.data == $1.data }
    }
}

import Basics

extension Sequence {
    /// The elements by a name, in the order in which the names come first; names are the same byte by byte.
    package func grouped(by name: (Element) -> String) -> [(name: String, elements: [Element])] {
        var numbers: [ExactText: Int] = [:]
        var groups: [(name: String, elements: [Element])] = []
        for element in self {
            let name = name(element)
            let number = numbers[name.exact] ?? groups.count
            if number == groups.count {
                numbers[name.exact] = number
                groups.append((name, []))
            }
            groups[number].elements.append(element)
        }
        return groups
    }
}

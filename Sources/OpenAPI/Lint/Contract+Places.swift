package import Basics
package import JSON

extension Contract {
    /// The place of anything that was read from the contract's files: file, line, column and pointer.
    package func place(of position: JSONPosition, operation: String? = nil) -> Place {
        var place = sources.place(of: position)
        if position.isKnown, documents.indices.contains(Int(position.document)) {
            place.pointer = documents[Int(position.document)].pointer(to: position).description
        }
        place.operation = operation?.printable
        return place
    }
}

extension ContractDocument {
    /// The pointer to what begins at a position, or that is around it.
    ///
    /// Values stand in a text in the order of the tree, so a search by halves finds the way down.
    func pointer(to position: JSONPosition) -> JSONPointer {
        var tokens: [String] = []
        var value = root
        while true {
            switch value.content {
            case .array(let elements):
                guard let next = elements.last(startingBy: position, { $0.position }) else { break }
                tokens.append("\(next)")
                value = elements[next]
                continue
            case .object(let object):
                guard let next = object.members.last(startingBy: position, { $0.namePosition }) else { break }
                tokens.append(object.members[next].name)
                value = object.members[next].value
                continue
            default: break
            }
            return JSONPointer(tokens: tokens)
        }
    }
}

extension Array {
    /// The index of the last element that begins at a position or before it.
    fileprivate func last(startingBy position: JSONPosition, _ start: (Element) -> JSONPosition) -> Int? {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if start(self[middle]).text <= position.text { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? low - 1 : nil
    }
}

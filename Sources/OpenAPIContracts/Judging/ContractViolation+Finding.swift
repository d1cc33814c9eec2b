package import Findings
import JSONText

extension ContractViolation {
    /// The violation as reports want it.
    ///
    /// - Parameter file: the file that holds the body, as the user would write it; the finding then points into that
    ///   file and its advice into the contract. Without one the finding points into the contract.
    package func finding(in file: String? = nil) -> Finding {
        guard let file else {
            return Finding(severity, id: id, message, at: contractPlace)
        }
        return finding(at: Place(file: file, position: position.isKnown ? position.text : nil, pointer: bodyPointer))
    }

    /// The violation as a finding at a place that the caller knows better, with the contract's place as advice.
    package func finding(at place: Place) -> Finding {
        var place = place
        place.operation = place.operation ?? contractPlace.operation
        return Finding(severity, id: id, message, at: place, advice: contractReference)
    }

    /// `see Contracts/pets.json:12:7`, for readers who want to know what the contract says.
    private var contractReference: String? {
        var place = contractPlace
        place.operation = nil
        return place.file == nil ? nil : "see \(place)"
    }

    private var bodyPointer: String? {
        if case .body(let pointer) = part { pointer.description } else { nil }
    }
}

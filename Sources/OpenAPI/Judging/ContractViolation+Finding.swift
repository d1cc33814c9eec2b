package import Basics
import JSON

extension ContractViolation {
    /// The violation as reports want it.
    ///
    /// - Parameter file: the file that holds the body, as the user would write it; the finding then points into that
    ///   file and speaks of the contract's place too. Without one the finding points into the contract.
    package func finding(in file: String? = nil) -> Finding {
        guard let file else { return Finding(severity, id: id, message, at: contractPlace) }
        return finding(at: Place(file: file, position: position.isKnown ? position.text : nil, pointer: bodyPointer))
    }

    /// The violation as a finding at a place that the caller knows better.
    package func finding(at place: Place) -> Finding {
        var place = place
        var documented = contractPlace
        place.operation = place.operation ?? documented.operation
        documented.operation = nil
        return Finding(
            severity,
            id: id,
            message,
            at: place,
            related: [RelatedPlace(documented, "the contract says so here")]
        )
    }

    private var bodyPointer: String? {
        if case .body(let pointer) = part { pointer.description } else { nil }
    }
}

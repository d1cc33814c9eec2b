import Basics
import HTTPCodec
import JSON
import OpenAPI
import ScenarioFormat

extension ResponseChecker {
    /// A violation as a finding, at the place that a person has to change.
    func finding(
        _ violation: ContractViolation,
        to operation: Operation,
        _ material: ResponseMaterial
    ) -> Finding {
        var place = place(of: violation, material)
        if case .body(let pointer) = violation.part { place.pointer = pointer.description }
        var contract = violation.contractPlace
        contract.operation = nil
        contract.pointer = contract.pointer ?? violation.contractPointer
        var related = [RelatedPlace(contract, "the contract says so here")]
        let isElsewhere = violation.position.isKnown && violation.position.document != response.position.document
        if violation.isAboutBody, isElsewhere || material.file != nil && place.file == material.file {
            let response = loaded.sources.place(of: response.bodyMember?.namePosition ?? response.position)
            related.append(RelatedPlace(response, "\(operation.label) answers with it here".printable))
        }
        return Finding(violation.severity, id: violation.id, violation.message.printable, at: place, related: related)
    }

    private func place(of violation: ContractViolation, _ material: ResponseMaterial) -> Place {
        switch violation.part {
        case .body where violation.position.isKnown:
            if material.isRaw { return Place(file: material.file, position: violation.position.text) }
            return loaded.sources.place(of: violation.position)
        case .header(let name):
            return loaded.sources.place(of: header(named: name) ?? response.position)
        case .mediaType:
            return loaded.sources.place(of: header(named: "Content-Type") ?? bodyPosition)
        case .body:
            return loaded.sources.place(of: bodyPosition)
        default:
            return loaded.sources.place(of: response.statusPosition)
        }
    }

    var bodyPosition: JSONPosition { response.bodyMember?.value.position ?? response.position }

    private func header(named name: String) -> JSONPosition? {
        response.tree["headers"]?.object?.members.first { $0.name.lowercased() == name.lowercased() }?.namePosition
    }
}

import Foundation

/// The contract's operations, as a generator writes them.
protocol APIProtocol: Sendable {
    func signIn(_ input: Operations.signIn.Input) async throws -> Operations.signIn.Output
    func refresh(_ input: Operations.refresh.Input) async throws -> Operations.refresh.Output
    func listPets() async throws -> Operations.listPets.Output
    func getPet(_ input: Operations.getPet.Input) async throws -> Operations.getPet.Output
    func addPet(_ input: Operations.addPet.Input) async throws -> Operations.addPet.Output
    func removePet(_ input: Operations.removePet.Input) async throws -> Operations.removePet.Output
}

enum Components {
    enum Schemas {
        struct Credentials: Codable, Sendable {
            var name: String
            var password: String
        }
        struct RefreshRequest: Codable, Sendable {
            var refreshToken: String
        }
        struct Tokens: Codable, Hashable, Sendable {
            var accessToken: String
            var refreshToken: String
        }
        enum Kind: String, Codable, Sendable {
            case cat
            case dog
            case bird
        }
        struct Pet: Codable, Sendable {
            var id: Int64
            var name: String
            var kind: Kind
            var weight: Double?
            var born: String?
        }
        struct NewPet: Codable, Sendable {
            var name: String
            var kind: Kind
        }
        struct Refusal: Codable, Sendable {
            var error: String
        }
    }
}

enum Operations {
    enum signIn {
        struct Input: Sendable { var body: Components.Schemas.Credentials }
        enum Output: Sendable {
            case ok(Components.Schemas.Tokens)
            case forbidden(Components.Schemas.Refusal)
            case undocumented(statusCode: Int)
        }
    }
    enum refresh {
        struct Input: Sendable { var body: Components.Schemas.RefreshRequest }
        enum Output: Sendable {
            case ok(Components.Schemas.Tokens)
            case unauthorized(Components.Schemas.Refusal)
            case undocumented(statusCode: Int)
        }
    }
    enum listPets {
        enum Output: Sendable {
            case ok([Components.Schemas.Pet])
            case unauthorized(Components.Schemas.Refusal)
            case serviceUnavailable
            case undocumented(statusCode: Int)
        }
    }
    enum getPet {
        struct Input: Sendable { var id: Int64 }
        enum Output: Sendable {
            case ok(Components.Schemas.Pet)
            case unauthorized(Components.Schemas.Refusal)
            case notFound(Components.Schemas.Refusal)
            case undocumented(statusCode: Int)
        }
    }
    enum addPet {
        struct Input: Sendable { var body: Components.Schemas.NewPet }
        enum Output: Sendable {
            case created(Components.Schemas.Pet)
            case unauthorized(Components.Schemas.Refusal)
            case unprocessableContent(Components.Schemas.Refusal)
            case undocumented(statusCode: Int)
        }
    }
    enum removePet {
        struct Input: Sendable { var id: Int64 }
        enum Output: Sendable {
            case noContent
            case unauthorized(Components.Schemas.Refusal)
            case notFound(Components.Schemas.Refusal)
            case undocumented(statusCode: Int)
        }
    }
}

// Each of these is there for every case; the guide needs one for each operation.
extension Operations.signIn.Output {
    var ok: Components.Schemas.Tokens {
        get throws {
            guard case .ok(let tokens) = self else { throw UnexpectedOutput(self) }
            return tokens
        }
    }
}
extension Operations.refresh.Output {
    var ok: Components.Schemas.Tokens {
        get throws {
            guard case .ok(let tokens) = self else { throw UnexpectedOutput(self) }
            return tokens
        }
    }
}
extension Operations.listPets.Output {
    var ok: [Components.Schemas.Pet] {
        get throws {
            guard case .ok(let pets) = self else { throw UnexpectedOutput(self) }
            return pets
        }
    }
}
extension Operations.getPet.Output {
    var ok: Components.Schemas.Pet {
        get throws {
            guard case .ok(let pet) = self else { throw UnexpectedOutput(self) }
            return pet
        }
    }
}
extension Operations.addPet.Output {
    var created: Components.Schemas.Pet {
        get throws {
            guard case .created(let pet) = self else { throw UnexpectedOutput(self) }
            return pet
        }
    }
}
extension Operations.removePet.Output {
    var noContent: Void {
        get throws {
            guard case .noContent = self else { throw UnexpectedOutput(self) }
        }
    }
}

#if canImport(Security)
    import ClientServices
    import Foundation
    import Security

    /// Tokens that outlive the app, and that no other app can read.
    struct KeychainTokens: TokenStore {
        var service = "com.example.whipit"

        struct Problem: Error {
            var status: OSStatus
        }

        private var item: [CFString: Any] {
            [kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: "session"]
        }

        func tokens() throws -> Tokens? {
            let query = item.merging([kSecReturnData: true, kSecMatchLimit: kSecMatchLimitOne]) { $1 }
            var found: CFTypeRef?
            let status = SecItemCopyMatching(query as CFDictionary, &found)
            if status == errSecItemNotFound { return nil }
            // A keychain that is still locked is an error, and not a user who has signed out.
            guard status == errSecSuccess, let data = found as? Data else { throw Problem(status: status) }
            return try JSONDecoder().decode(Tokens.self, from: data)
        }

        func save(_ tokens: Tokens) throws {
            let values: [CFString: Any] = [
                kSecValueData: try JSONEncoder().encode(tokens),
                kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
            ]
            var status = SecItemUpdate(item as CFDictionary, values as CFDictionary)
            if status == errSecItemNotFound { status = SecItemAdd(item.merging(values) { $1 } as CFDictionary, nil) }
            guard status == errSecSuccess else { throw Problem(status: status) }
        }

        func clear() throws {
            let status = SecItemDelete(item as CFDictionary)
            guard status == errSecSuccess || status == errSecItemNotFound else { throw Problem(status: status) }
        }
    }
#endif

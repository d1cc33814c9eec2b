import ClientServices
import ClientTesting

extension KiwITAdapter {
    static var session: [ClientOperation<KiwITClient>] {
        [
            ClientOperation("signUp", role: .signIn) { client in
                let signUp = KiwIT.SignUp(email: "newcomer@example.com", nickname: "새내기", provider: .kakao)
                try await client.service.signUp(signUp)
                return try await client.pair
            },
            ClientOperation("signIn", role: .signIn) { client in
                switch try await client.service.signIn(with: "from-kakao", from: .kakao) {
                case .signedIn: try await client.pair
                case .signUpRequired(let draft): try CallValue(draft)
                }
            },
            ClientOperation("refresh", role: .refresh) { client in
                try await client.service.refreshSession()
                return try await client.pair
            },
            .done("signOut", role: .signOut) { try await $0.signOut() },
            .done("withdraw", role: .signOut) { try await $0.withdraw() },
            .done("getStatistics") { try await $0.requestStatistics() },
            .done("checkHealth") { try await $0.checkHealth() },
        ]
    }

    static var profile: [ClientOperation<KiwITClient>] {
        [
            .value("getProfile") { try await $0.profile() },
            .value("editProfile") { try await $0.changeNickname(to: "키위나무") },
        ]
    }

    static var trophies: [ClientOperation<KiwITClient>] {
        [
            .value("getTrophies") { try await $0.trophies(page: 0) },
            .value("getTrophy") { try await $0.trophy(1) },
            .value("getMyTrophies") { try await $0.wonTrophies(page: 0) },
            .value("getMyLatestTrophy") { try await $0.latestTrophy() },
        ]
    }
}

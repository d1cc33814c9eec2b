import JSON
import StubServing
import Testing

@Suite struct `The environment of a client` {
    @Test func `has nothing of another server's tokens`() {
        var environment = ClientEnvironment()
        environment.set(tokens: [
            "devices": [
                [
                    "device": "phone",
                    "tokens": [["kind": "access", "value": "new"], ["kind": "id-token", "value": "two"]],
                ],
                ["device": "pad", "tokens": [["kind": "refresh", "value": "other"]]],
            ]
        ])
        let inherited = [
            "BACKLOT_TOKEN_ACCESS": "old", "BACKLOT_TOKEN_REFRESH": "old", "TEST_RUNNER_BACKLOT_TOKEN_REFRESH": "old",
            "BACKLOT_TOKEN": "kept", "HOME": "kept",
        ]
        let entries = environment.entries(over: inherited).filter {
            !$0.contains("TOKENS=") && !$0.contains("DEVICES=")
        }
        #expect(
            entries == [
                "BACKLOT_TOKEN=kept", "BACKLOT_TOKEN_ACCESS=new", "BACKLOT_TOKEN_ID_TOKEN=two", "HOME=kept",
                "SIMCTL_CHILD_BACKLOT_TOKEN_ACCESS=new", "SIMCTL_CHILD_BACKLOT_TOKEN_ID_TOKEN=two",
                "TEST_RUNNER_BACKLOT_TOKEN_ACCESS=new", "TEST_RUNNER_BACKLOT_TOKEN_ID_TOKEN=two",
            ]
        )
    }
}

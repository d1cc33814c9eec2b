import Testing

@testable import ScenarioFormat

@Suite struct `The natural order of names` {
    @Test(arguments: [
        ["K1", "K2", "K10", "K18", "K100"], ["SM-01", "SM-1", "SM-2", "SM-02b", "SM-10"], ["", "1", "2a", "2b", "10"],
        ["A", "A1", "A1/b", "AB", "a"], ["K9", "K10", "K99999999999999999999999", "K100000000000000000000000"],
        ["1.2", "1.10", "1.10.1"], ["é", "é"],
    ])
    func `goes by the numbers in them`(names: [String]) {
        #expect(
            names.reversed().map(NaturalOrder.init).sorted().map(\.text.utf8).map(Array.init)
                == names.map(\.utf8).map(Array.init)
        )
        #expect(!(NaturalOrder("K2") < NaturalOrder("K2")))
    }
}

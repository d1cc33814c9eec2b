import BacklotTesting
import Testing

@Suite struct `A list` {
    @Test func `takes conditions and loops`() {
        #expect(make(true) == [1, 2, 7, 8, 3])
        #expect(make(false) == [1, 4, 7, 8, 3])
    }

    private func make(_ isTwo: Bool) -> [Int] {
        list {
            1
            if isTwo { 2 } else { 4 }
            for number in 7...8 { number }
            if !isTwo || isTwo { 3 }
        }
    }

    private func list(@ListBuilder<Int> _ elements: () -> [Int]) -> [Int] { elements() }
}

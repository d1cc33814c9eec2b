/// A deterministic automaton that answers whether an expression matches somewhere in a text.
struct Automaton: Sendable {
    /// The state from which nothing can match.
    static let dead: UInt32 = 0
    /// The state in which something has matched.
    static let accepting: UInt32 = 1

    let alphabet: Alphabet
    /// The state after each state and symbol.
    let transitions: [UInt32]
    /// Whether the text may end in each state.
    let acceptsAtEnd: [Bool]
    let start: UInt32

    func accepts(_ text: TextBytes) -> Bool {
        transitions.withUnsafeBufferPointer { transitions in
            alphabet.ascii.withUnsafeBufferPointer { ascii in
                var state = start
                var position = 0
                let width = alphabet.symbolCount
                while position < text.count {
                    if state <= Automaton.accepting { return state == Automaton.accepting }
                    let symbol: UInt16
                    let byte = text.bytes[position]
                    if byte < 0x80 {
                        symbol = ascii[Int(byte)]
                        position += 1
                    } else {
                        let (scalar, next) = text.scalar(at: position)
                        symbol = alphabet.symbol(of: scalar)
                        position = next
                    }
                    state = transitions[Int(state) * width + Int(symbol)]
                }
                return acceptsAtEnd[Int(state)]
            }
        }
    }
}

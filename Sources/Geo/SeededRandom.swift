import Glibc

/// A small random number generator with a fixed sequence for each seed: SplitMix64 (G. Steele, D. Lea, C. Flood, "Fast splittable
/// pseudorandom number generators", OOPSLA 2014). Not for secrets.
///
/// The standard library may change how `Double.random(in:using:)` and similar functions use a generator. Use the methods here if results
/// must stay the same.
@frozen
public struct SeededRandom: RandomNumberGenerator, Sendable {
    @usableFromInline var state: UInt64

    /// A generator at the start of the sequence of `seed`.
    @inlinable
    public init(seed: UInt64) {
        state = seed
    }

    /// The next 64 random bits.
    @inlinable
    public mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    /// A number in 0..<1, uniformly distributed, in steps of 2⁻⁵³.
    @inlinable
    public mutating func unit() -> Double {
        Double(next() >> 11) * 0x1p-53
    }

    /// A number in `range`, uniformly distributed; rounding alone can give the upper bound.
    @inlinable
    public mutating func double(in range: ClosedRange<Double>) -> Double {
        let share = unit()
        return range.lowerBound * (1 - share) + range.upperBound * share
    }

    /// A whole number in `range`. The high half of a 128-bit product makes it uniform to within 2⁻⁶⁴ times the size of the range.
    @inlinable
    public mutating func int(in range: ClosedRange<Int>) -> Int {
        let count = UInt64(bitPattern: Int64(range.upperBound)) &- UInt64(bitPattern: Int64(range.lowerBound)) &+ 1
        let bits = next()
        let step = count == 0 ? bits : bits.multipliedFullWidth(by: count).high
        return range.lowerBound &+ Int(truncatingIfNeeded: step)
    }

    /// True with the given probability.
    @inlinable
    public mutating func chance(_ probability: Double) -> Bool {
        unit() < probability
    }

    /// An element of `choices`; nil if it is empty.
    @inlinable
    public mutating func element<Choices: RandomAccessCollection>(of choices: Choices) -> Choices.Element? {
        guard !choices.isEmpty else { return nil }
        return choices[choices.index(choices.startIndex, offsetBy: int(in: 0...choices.count - 1))]
    }

    /// A number from the standard normal distribution (Box and Muller's transform; uses two numbers of the generator).
    public mutating func normal() -> Double {
        let radius = (-2 * log(1 - unit())).squareRoot()
        return radius * cos(2 * Double.pi * unit())
    }
}

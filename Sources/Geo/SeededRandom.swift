import Glibc

/// A small random number generator that has a fixed sequence for each seed: SplitMix64 (G. Steele, D. Lea, C. Flood, "Fast splittable
/// pseudorandom number generators", OOPSLA 2014). It must not be used for secrets.
///
/// The standard library may change how `Double.random(in:using:)` and similar functions use a generator. If results must stay the same, use
/// the methods of this type.
@frozen
public struct SeededRandom: RandomNumberGenerator, Sendable {
    @usableFromInline var state: UInt64

    /// Creates a generator at the start of the sequence for `seed`.
    @inlinable
    public init(seed: UInt64) {
        state = seed
    }

    /// Returns the next 64 random bits.
    @inlinable
    public mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    /// Returns a number in 0..<1, uniformly distributed, in steps of 2⁻⁵³.
    @inlinable
    public mutating func unit() -> Double {
        Double(next() >> 11) * 0x1p-53
    }

    /// Returns a number in `range`, uniformly distributed. The upper bound is returned only if the result is rounded up to it.
    @inlinable
    public mutating func double(in range: ClosedRange<Double>) -> Double {
        let share = unit()
        return range.lowerBound * (1 - share) + range.upperBound * share
    }

    /// Returns a whole number in `range`. Its distribution is uniform to within 2⁻⁶⁴ times the size of the range.
    @inlinable
    public mutating func int(in range: ClosedRange<Int>) -> Int {
        let count = UInt64(bitPattern: Int64(range.upperBound)) &- UInt64(bitPattern: Int64(range.lowerBound)) &+ 1
        let bits = next()
        let step = count == 0 ? bits : bits.multipliedFullWidth(by: count).high
        return range.lowerBound &+ Int(truncatingIfNeeded: step)
    }

    /// Returns true with the given probability.
    @inlinable
    public mutating func chance(_ probability: Double) -> Bool {
        unit() < probability
    }

    /// Returns an element of `choices`; nil if `choices` is empty.
    @inlinable
    public mutating func element<Choices: RandomAccessCollection>(of choices: Choices) -> Choices.Element? {
        guard !choices.isEmpty else { return nil }
        return choices[choices.index(choices.startIndex, offsetBy: int(in: 0...choices.count - 1))]
    }

    /// Returns a number from the standard normal distribution (Box and Muller's transform). It uses two numbers from the generator.
    public mutating func normal() -> Double {
        let radius = (-2 * log(1 - unit())).squareRoot()
        return radius * cos(2 * Double.pi * unit())
    }
}

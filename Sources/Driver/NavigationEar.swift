import Navigation

/// Passes on a navigator's events as events of a driver.
final class NavigationEar: NavigatorListener {
    private let tell: @Sendable (TripDriverEvent) -> Void

    init(_ tell: @escaping @Sendable (TripDriverEvent) -> Void) { self.tell = tell }

    func navigator(_ navigator: Navigator, didProduce event: NavigatorEvent) { tell(.navigation(event)) }
}

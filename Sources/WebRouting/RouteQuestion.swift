import FoundationEssentials
import Geo
import HTTPCalls
import Routing

/// Builds the requests to routers.
enum RouteQuestion {
    /// Largest angle between the course of a moving vehicle and the first road of a route, in degrees.
    private static let courseToleranceDegrees = 60

    /// - Parameter minding: whether the request includes the vehicle's course.
    static func exchange(
        _ request: RouteRequest, to address: WebRouterAddress, mindingCourse minding: Bool, caFile: String?
    ) throws(WebRoutingError) -> HTTPExchange {
        let course = minding ? request.originCourseDegrees.flatMap(wholeDegrees) : nil
        var exchange = HTTPExchange(
            url: address.base, headers: [("accept", "application/json")], largestAnswer: WebRouter.largestAnswer,
            limitSeconds: WebRouter.limitSeconds, caFile: caFile, policy: .kept)
        let places = [request.origin] + request.destinations.map(\.coordinate)
        switch address.kind {
        case .osrm:
            exchange.url += "/" + places.map(words).joined(separator: ";") + "?" + osrmQuery(places.count, course)
            if !address.query.isEmpty { exchange.url += "&" + address.query }
        case .valhalla:
            if !address.query.isEmpty { exchange.url += "?" + address.query }
            exchange.method = "POST"
            exchange.headers.append(("content-type", "application/json"))
            exchange.body = try valhallaBody(places, course)
        }
        return exchange
    }

    private static func osrmQuery(_ count: Int, _ course: Int?) -> String {
        let query = "steps=true&annotations=duration,distance&overview=full&geometries=polyline6"
        guard let course else { return query }
        return query + "&bearings=\(course),\(courseToleranceDegrees)" + String(repeating: ";", count: count - 1)
    }

    private static func valhallaBody(_ places: [Coordinate], _ course: Int?) throws(WebRoutingError) -> [UInt8] {
        var locations = places.map { ValhallaRequest.Location(lat: $0.latitude, lon: $0.longitude) }
        locations[0].heading = course
        locations[0].headingTolerance = course == nil ? nil : courseToleranceDegrees
        guard let data = try? JSONEncoder().encode(ValhallaRequest(locations: locations)) else { throw .invalidRequest }
        return Array(data)
    }

    private static func wholeDegrees(_ degrees: Double) -> Int? {
        guard degrees.isFinite, (0...360).contains(degrees) else { return nil }
        return Int(degrees) % 360
    }

    /// Returns longitude and latitude with six decimal places, which are accurate to about 0.1 m.
    private static func words(_ place: Coordinate) -> String { "\(decimal(place.longitude)),\(decimal(place.latitude))" }

    private static func decimal(_ degrees: Double) -> String {
        let millionths = Int((degrees * 1e6).rounded())
        let (whole, rest) = abs(millionths).quotientAndRemainder(dividingBy: 1_000_000)
        return (millionths < 0 ? "-" : "") + "\(whole)." + String(String(1_000_000 + rest).dropFirst())
    }
}

/// A request to Valhalla for a route. It asks for an answer in OSRM's form, with annotations for each segment.
private struct ValhallaRequest: Encodable {
    struct Location: Encodable {
        var lat: Double
        var lon: Double
        var heading: Int?
        var headingTolerance: Int?

        enum CodingKeys: String, CodingKey { case lat, lon, heading, headingTolerance = "heading_tolerance" }
    }

    struct Filters: Encodable {
        let action = "include"
        let attributes = ["time", "length", "speed", "speed_limit"].map { "shape_attributes." + $0 }

        enum CodingKeys: CodingKey { case action, attributes }
    }

    let locations: [Location]
    let costing = "auto"
    let format = "osrm"
    let shapeFormat = "polyline6"
    let filters = Filters()

    enum CodingKeys: String, CodingKey { case locations, costing, format, filters, shapeFormat = "shape_format" }
}

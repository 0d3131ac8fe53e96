import FleetEngine
package import FleetEngineAPI
import FoundationEssentials
import SwiftProtobuf

/// A row with bytes that this program cannot have written.
package struct DamagedRecordError: Error {
    package init() {}
}

extension StoredTrip {
    package init(_ record: TripRecord) {
        self.init()
        name = record.name.description
        serial = record.serial
        stamp = record.stamp.microseconds
        updatedAt = record.updatedAt.timeIntervalSinceReferenceDate
        trip = record.trip
        if let stamp = record.assignmentStamp { assignmentStamp = stamp.microseconds }
        declinedBy = record.declinedBy
        account = record.account
    }

    package func record() throws -> TripRecord {
        TripRecord(
            name: try TripName(name), serial: serial, stamp: ChangeStamp(microseconds: stamp), updatedAt: try Date(stored: updatedAt),
            trip: trip, assignmentStamp: hasAssignmentStamp ? ChangeStamp(microseconds: assignmentStamp) : nil,
            declinedBy: declinedBy, account: account.isEmpty ? EngineAccount.anonymous : account)
    }
}

extension StoredBooking {
    package init(_ booking: Booking) {
        self.init()
        trip = booking.trip.description
        type = booking.type
        serial = booking.serial
    }

    package func booking() throws -> Booking { Booking(trip: try TripName(trip), type: type, serial: serial) }
}

extension StoredStop {
    init(_ stop: Stop) {
        self.init()
        tripID = stop.tripID
        location = stop.location
        isExclusive = stop.isExclusive
        switch stop.kind {
        case .pickup: kind = .pickup
        case .intermediate(let index): (kind, self.index) = (.intermediate, Int64(index))
        case .dropoff: kind = .dropoff
        }
    }

    func stop() throws -> Stop {
        let kind: Stop.Kind
        switch self.kind {
        case .pickup: kind = .pickup
        case .intermediate: kind = .intermediate(Int(index))
        case .dropoff: kind = .dropoff
        case .UNRECOGNIZED: throw DamagedRecordError()
        }
        return Stop(tripID: tripID, kind: kind, location: location, isExclusive: isExclusive)
    }
}

extension Date {
    /// - Parameter seconds: seconds since 2001.
    init(stored seconds: Double) throws {
        guard seconds.isFinite else { throw DamagedRecordError() }
        self.init(timeIntervalSinceReferenceDate: seconds)
    }
}

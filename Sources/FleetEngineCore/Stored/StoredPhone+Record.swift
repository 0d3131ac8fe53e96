import FleetEngine
import FleetEngineAPI
import FleetEngineWire
import FoundationEssentials
import Geo
import PhoneIntake

extension StoredPhone {
    init(_ record: PhoneRecord) {
        self.init()
        keyDigest = URLSafeBase64.encode(record.key.digest, isPadded: false)
        isManual = record.isManual
        if let fix = record.car.newest { newest = StoredPhoneFix(fix) }
        if let speed = record.car.speedMetersPerSecond { self.speed = speed }
        if let known = record.trips.known {
            tripID = known.tripID
            tripStatus = known.status.wire
            intermediateIndex = Int64(known.intermediateIndex)
        }
        (isHeld, wasWithin) = (record.trips.isHeld, record.trips.wasWithin)
        if let told = record.told { self.told = StoredPhoneNavigation(told) }
        if let end = record.keyEnd { keyEnd = end.timeIntervalSinceReferenceDate }
        if let heard = record.lastHeard { lastHeard = heard.timeIntervalSinceReferenceDate }
        if let fix = record.jumps.lastDiscarded { jumps = StoredJumps(fix, count: record.jumps.count) }
    }

    func record() throws -> PhoneRecord {
        guard let key = PhoneKey(digest: try URLSafeBase64.decode(keyDigest)) else { throw DamagedRecordError() }
        var record = PhoneRecord(key: key, isManual: isManual)
        record.car = PhoneCar(newest: hasNewest ? try newest.fix() : nil, speedMetersPerSecond: hasSpeed ? speed : nil)
        let known =
            tripID.isEmpty
            ? nil
            : PhoneTrips.Known(
                tripID: tripID, status: TripStatus(tripStatus), intermediateIndex: Int(clamping: intermediateIndex))
        record.trips = PhoneTrips(known: known, isHeld: isHeld, wasWithin: wasWithin)
        record.told = hasTold ? try told.navigation() : nil
        record.keyEnd = hasKeyEnd ? try Date(stored: keyEnd) : nil
        record.lastHeard = hasLastHeard ? try Date(stored: lastHeard) : nil
        if hasJumps { record.jumps = try jumps.filter() }
        return record
    }
}

extension StoredPhoneFix {
    fileprivate init(_ fix: PhoneFix) {
        self.init()
        (latitude, longitude) = (fix.coordinate.latitude, fix.coordinate.longitude)
        time = fix.time.timeIntervalSinceReferenceDate
        if let figure = fix.speedMetersPerSecond { speed = figure }
        if let figure = fix.bearingDegrees { bearing = figure }
        if let figure = fix.accuracyMeters { accuracy = figure }
        if let figure = fix.altitudeMeters { altitude = figure }
        if let navigation = fix.navigation { self.navigation = StoredPhoneNavigation(navigation) }
    }

    fileprivate func fix() throws -> PhoneFix {
        let place = Coordinate(latitude: latitude, longitude: longitude)
        guard place.isValid else { throw DamagedRecordError() }
        var fix = PhoneFix(coordinate: place, time: try Date(stored: time))
        fix.speedMetersPerSecond = hasSpeed ? speed : nil
        fix.bearingDegrees = hasBearing ? bearing : nil
        fix.accuracyMeters = hasAccuracy ? accuracy : nil
        fix.altitudeMeters = hasAltitude ? altitude : nil
        fix.navigation = hasNavigation ? try navigation.navigation() : nil
        return fix
    }
}

extension StoredPhoneNavigation {
    fileprivate init(_ navigation: PhoneNavigation) {
        self.init()
        if let moment = navigation.arrival { arrival = moment.timeIntervalSinceReferenceDate }
        if let meters = navigation.remainingMeters { remainingMeters = meters }
    }

    fileprivate func navigation() throws -> PhoneNavigation {
        PhoneNavigation(
            arrival: hasArrival ? try Date(stored: arrival) : nil, remainingMeters: hasRemainingMeters ? remainingMeters : nil)
    }
}

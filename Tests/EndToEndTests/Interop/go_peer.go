// Calls a Fleet Engine as a provider's backend that is written in Go would: with grpc-go and its default settings, over one connection.
//
// Usage: go-peer HOST:PORT CALLS WORKERS
//
// Each worker creates a trip and reads it, and repeats this. The program prints one line. It exits with 0 if all calls were answered with OK
// over a single connection.
package main

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"net"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"google.golang.org/grpc"
)

const service = "/maps.fleetengine.v1.TripService/"

// rawCodec sends messages as bytes. The program needs so few and small messages that generated code would not be worth it.
type rawCodec struct{}

func (rawCodec) Marshal(message interface{}) ([]byte, error) { return *message.(*[]byte), nil }

func (rawCodec) Unmarshal(bytes []byte, message interface{}) error {
	*message.(*[]byte) = append([]byte(nil), bytes...)
	return nil
}

func (rawCodec) Name() string   { return "proto" }
func (rawCodec) String() string { return "proto" }

func varint(number uint64) []byte {
	bytes := make([]byte, binary.MaxVarintLen64)
	return bytes[:binary.PutUvarint(bytes, number)]
}

// field encodes a field whose value is bytes, a text or a message.
func field(number uint64, value []byte) []byte {
	return append(append(varint(number<<3|2), varint(uint64(len(value)))...), value...)
}

func degrees(number uint64, value float64) []byte {
	bytes := make([]byte, 8)
	binary.LittleEndian.PutUint64(bytes, math.Float64bits(value))
	return append(varint(number<<3|1), bytes...)
}

func createTrip(id string) []byte {
	point := field(1, append(degrees(1, 50), degrees(2, 8)...))
	// The value 2 means an exclusive trip.
	trip := append(append(varint(tripType<<3), 2), field(pickupPoint, point)...)
	request := field(createParent, []byte("providers/demo"))
	request = append(request, field(createID, []byte(id))...)
	return append(request, field(createBody, trip)...)
}

func getTrip(id string) []byte { return field(getName, []byte("providers/demo/trips/"+id)) }

// The field numbers in the service's .proto files.
const (
	createParent = 3
	createID     = 5
	createBody   = 4
	getName      = 3
	tripType     = 4
	pickupPoint  = 5
)

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: go-peer HOST:PORT CALLS WORKERS")
		os.Exit(64)
	}
	calls, _ := strconv.Atoi(os.Args[2])
	workers, _ := strconv.Atoi(os.Args[3])
	var connections, failures int64
	dialer := func(ctx context.Context, address string) (net.Conn, error) {
		atomic.AddInt64(&connections, 1)
		return new(net.Dialer).DialContext(ctx, "tcp", address)
	}
	connection, err := grpc.Dial(os.Args[1], grpc.WithInsecure(), grpc.WithContextDialer(dialer))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	defer connection.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	call := func(method string, request []byte) {
		var answer []byte
		if err := connection.Invoke(ctx, service+method, &request, &answer, grpc.ForceCodec(rawCodec{})); err != nil {
			if atomic.AddInt64(&failures, 1) <= 5 {
				fmt.Fprintln(os.Stderr, method, err)
			}
		}
	}
	var group sync.WaitGroup
	for worker := 0; worker < workers; worker++ {
		group.Add(1)
		go func(worker int) {
			defer group.Done()
			for number := worker; number < calls; number += workers {
				id := fmt.Sprintf("go-%d", number)
				call("CreateTrip", createTrip(id))
				call("GetTrip", getTrip(id))
			}
		}(worker)
	}
	group.Wait()
	fmt.Printf("calls=%d failures=%d connections=%d\n", 2*calls, failures, connections)
	if failures > 0 || connections != 1 {
		os.Exit(1)
	}
}

//===- Stream.cpp - Bytes to and from another process ---------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "msg/Stream.h"

#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>

#include <cerrno>
#include <sys/socket.h>
#include <unistd.h>

namespace amprt {

namespace asio = boost::asio;
using Socket = asio::generic::stream_protocol::socket;

// A packet is what one flush has: beyond this, what was read is no length.
static constexpr uint64_t mostPacketBytes = uint64_t(1) << 40;

// Asio's objects are for one thread at a time, so each direction has its own.
struct Stream::Impl {
  asio::io_context context{1};
  Socket in{context}, out{context};
};

Stream::Stream() : impl(new Impl) {}
Stream::~Stream() = default;

Expected<std::unique_ptr<Stream>> Stream::open(int descriptor) {
  auto bad = [&](int error) {
    ::close(descriptor);
    return Status(StatusCode::invalidArgument,
                  "descriptor " + std::to_string(descriptor) +
                      " is no stream socket: " + std::strerror(error));
  };
  sockaddr_storage address = {};
  socklen_t length = sizeof(address);
  int type = 0;
  socklen_t typeLength = sizeof(type);
  if (getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &typeLength) != 0 ||
      getsockname(descriptor, reinterpret_cast<sockaddr *>(&address),
                  &length) != 0)
    return bad(errno);
  if (type != SOCK_STREAM)
    return bad(EPROTOTYPE);
  int other = dup(descriptor);
  if (other < 0)
    return bad(errno);
  std::unique_ptr<Stream> stream(new Stream);
  asio::generic::stream_protocol protocol(address.ss_family, 0);
  boost::system::error_code error;
  stream->impl->in.assign(protocol, descriptor, error);
  if (!error)
    stream->impl->out.assign(protocol, other, error);
  if (error) {
    ::close(other);
    return Status(StatusCode::invalidArgument, error.message());
  }
  return stream;
}

bool Stream::send(const void *bytes, size_t count) {
  boost::system::error_code error;
  asio::write(impl->out, asio::buffer(bytes, count), error);
  return !error;
}

bool Stream::receive(void *bytes, size_t count) {
  boost::system::error_code error;
  asio::read(impl->in, asio::buffer(bytes, count), error);
  return !error;
}

void Stream::close() {
  // Of the system, as another thread may be using the objects.
  ::shutdown(impl->out.native_handle(), SHUT_RDWR);
}

bool PacketReader::receive(Stream &from) {
  uint64_t count = 0;
  position = recordEnd = 0;
  bad = false;
  bytes.clear();
  bool isCounted = from.receive(&count, sizeof(count));
  over = !isCounted && count == 0;
  if (!isCounted || count > mostPacketBytes)
    return false;
  bytes.resize(size_t(count));
  return from.receive(bytes.data(), bytes.size());
}

} // namespace amprt

/*
 * The least that a client of MongoDB can take: one thread, epoll, one prebuilt message per connection whose key is written in
 * place. Started by c-loop.ts, which gives it the message on stdin.
 *
 * epoll-loop <IPv4 address> <port> <connections> <operations> <keys> <offset of the key, an int32>
 * prints {"wallUs":…,"cpuUs":…} per operation.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { max_message = 4096, max_reply = 64 * 1024, max_events = 256 };

struct connection {
  int fd;
  int received;
  unsigned char message[max_message];
  unsigned char reply[max_reply];
};

static int message_length, key_offset;
static uint32_t keys, random_state = 2463534242u;

static void die(const char *what) {
  perror(what);
  exit(1);
}

static uint32_t next_random(void) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 17;
  random_state ^= random_state << 5;
  return random_state;
}

static double now_us(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1e6 + time.tv_nsec / 1e3;
}

static double cpu_us(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e6 + usage.ru_utime.tv_usec + usage.ru_stime.tv_usec;
}

static void open_connection(struct connection *connection, const char *host, int port) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
  int on = 1;
  if (inet_pton(AF_INET, host, &address.sin_addr) != 1) die("inet_pton");
  connection->fd = socket(AF_INET, SOCK_STREAM, 0);
  if (connection->fd < 0 || connect(connection->fd, (struct sockaddr *)&address, sizeof address) < 0) die("connect");
  setsockopt(connection->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  fcntl(connection->fd, F_SETFL, O_NONBLOCK);
}

static void send_next(struct connection *connection) {
  uint32_t key = next_random() % keys;
  memcpy(connection->message + key_offset, &key, sizeof key);
  if (write(connection->fd, connection->message, message_length) != message_length) die("write");
}

/* Whether a whole reply has come. All machines that this runs on are little-endian, as BSON is. */
static int read_reply(struct connection *connection) {
  ssize_t count = read(connection->fd, connection->reply + connection->received, max_reply - connection->received);
  int32_t length;
  double ok;
  if (count < 0 && errno == EAGAIN) return 0;
  if (count <= 0) die("read");
  connection->received += count;
  if (connection->received < 4) return 0;
  memcpy(&length, connection->reply, sizeof length);
  if (connection->received < length) return 0;
  memcpy(&ok, connection->reply + length - 9, sizeof ok);
  if (ok != 1) {
    fprintf(stderr, "a reply is not ok\n");
    exit(1);
  }
  connection->received = 0;
  return 1;
}

int main(int count, char **words) {
  if (count != 7) return 2;
  int connections = atoi(words[3]);
  long operations = atol(words[4]), unsent = operations, unanswered = operations;
  unsigned char message[max_message];
  struct connection *all = calloc(connections, sizeof *all);
  struct epoll_event events[max_events];
  int epoll = epoll_create1(0);
  keys = atoi(words[5]);
  key_offset = atoi(words[6]);
  message_length = fread(message, 1, sizeof message, stdin);
  if (!all || epoll < 0 || message_length < key_offset + 4) return 2;

  for (int i = 0; i < connections; i++) {
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = &all[i]};
    open_connection(&all[i], words[1], atoi(words[2]));
    memcpy(all[i].message, message, message_length);
    epoll_ctl(epoll, EPOLL_CTL_ADD, all[i].fd, &event);
  }

  double start = now_us(), cpu_before = cpu_us();
  for (int i = 0; i < connections && unsent > 0; i++, unsent--) send_next(&all[i]);
  while (unanswered > 0) {
    int ready = epoll_wait(epoll, events, max_events, -1);
    for (int i = 0; i < ready; i++) {
      if (!read_reply(events[i].data.ptr)) continue;
      unanswered--;
      if (unsent > 0) {
        unsent--;
        send_next(events[i].data.ptr);
      }
    }
  }
  printf("{\"wallUs\":%.3f,\"cpuUs\":%.3f}\n", (now_us() - start) / operations, (cpu_us() - cpu_before) / operations);
  return 0;
}

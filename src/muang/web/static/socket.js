// @ts-check
/**
 * Owns the live connection of one match: hello, numbered inputs, acknowledgements, sending again after a break, gaps, pings.
 * Knows nothing of games: it hands on frames in the order of their versions.
 */

/**
 * @typedef {import("./types.js").StateFrame} StateFrame
 * @typedef {import("./types.js").EventFrame} EventFrame
 * @typedef {import("./types.js").ErrorFrame} ErrorFrame
 *
 * @typedef {Object} Listener
 * @property {(frame: StateFrame) => void} state everything anew
 * @property {(frame: EventFrame) => void} event the next thing that happened
 * @property {(frame: ErrorFrame, sent: any) => void} refused an input that was refused (`sent`: the frame), or a frame error
 * @property {(ms: number) => void} countdown
 * @property {(said: import("./types.js").Said[]) => void} notice
 * @property {(link: "open"|"lost"|"closed", why: string) => void} link whether the server can be reached
 */

const QUIET_MS = 2500; // a ping after this much silence
const DEAD_MS = 9000; // no word for this long: the connection is taken for lost
const RETRY_MS = [300, 700, 1500, 3000, 4000];

export class MatchSocket {
  /**
   * @param {string} id the match
   * @param {string[]} tokens of the seats this screen holds
   * @param {Listener} listener
   */
  constructor(id, tokens, listener) {
    this.listener = listener;
    this.tokens = tokens;
    this.url = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws/${encodeURIComponent(id)}`;
    /** @type {WebSocket|null} */
    this.socket = null;
    /** @type {number|null} the version that the page has seen last */
    this.version = null;
    /** the id under which the server counts this page's inputs: one for each load of the page */
    this.client = `w${Math.random().toString(36).slice(2, 12)}${Date.now().toString(36)}`;
    this.next = 1;
    /** inputs that are not acknowledged yet, by number @type {Map<number, any>} */
    this.pending = new Map();
    this.ready = false;
    this.asked = false;
    this.tries = 0;
    this.heard = 0;
    this.closed = false;
    /** round trip in ms, smoothed; null before the first pong @type {number|null} */
    this.trip = null;
    this.timer = setInterval(() => this.watch(), 500);
    addEventListener("online", () => this.socket || this.connect());
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden && !this.socket && !this.closed) this.connect();
    });
    this.connect();
  }

  connect() {
    if (this.closed || this.socket) return;
    clearTimeout(this.retry);
    const socket = new WebSocket(this.url);
    this.socket = socket;
    this.heard = performance.now();
    socket.addEventListener("open", () => {
      this.heard = performance.now();
      this.raw({ type: "hello", tokens: this.tokens, version: this.version, client: this.client });
    });
    socket.addEventListener("message", (message) => {
      if (socket === this.socket) this.read(message.data);
    });
    socket.addEventListener("close", (event) => {
      if (socket === this.socket) this.lost(event.code, event.reason);
    });
  }

  /** @param {number} code @param {string} reason */
  lost(code, reason) {
    this.socket = null;
    this.ready = false;
    if (this.closed) return;
    if (code === 4404 || code === 4403) {
      // there is no such match: trying again would not help
      this.close();
      this.listener.link("closed", reason || String(code));
      return;
    }
    this.listener.link("lost", reason);
    const wait = RETRY_MS[Math.min(this.tries, RETRY_MS.length - 1)];
    this.tries += 1;
    this.retry = setTimeout(() => this.connect(), wait);
  }

  close() {
    this.closed = true;
    clearInterval(this.timer);
    clearTimeout(this.retry);
    if (this.socket) this.socket.close();
    this.socket = null;
  }

  watch() {
    if (!this.socket) return;
    const silent = performance.now() - this.heard;
    if (silent > DEAD_MS) {
      const dead = this.socket;
      dead.close();
      this.lost(0, "silence");
    } else if (silent > QUIET_MS && this.ready) {
      this.ping();
    }
  }

  /** Measure the way to the server and back; also told to the server, which judges races by it. */
  ping() {
    this.raw({ type: "ping", t: performance.now() });
  }

  /** @param {any} frame */
  raw(frame) {
    if (this.socket && this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify({ v: 1, ...frame }));
  }

  /** @param {any} frame an input: it gets a number and is sent until it is acknowledged or refused @returns {number} */
  send(frame) {
    const n = this.next++;
    const numbered = { ...frame, n };
    this.pending.set(n, numbered);
    if (this.ready) this.raw(numbered);
    return n;
  }

  /** @param {import("./types.js").Seat} seat @param {string} action @param {boolean} timed in a live race: with the page's own clock */
  play(seat, action, timed) {
    const frame = { type: "play", seat, action, version: this.version };
    return this.send(timed ? { ...frame, at: performance.now() } : frame);
  }

  /** @param {import("./types.js").Seat} seat @param {string} name @param {import("./types.js").Seat} [about] the seat it is about, if another */
  command(seat, name, about) {
    return this.send(about === undefined ? { type: "command", seat, name } : { type: "command", seat, name, about });
  }

  /** @param {string} text */
  read(text) {
    this.heard = performance.now();
    const frame = JSON.parse(text);
    switch (frame.type) {
      case "state":
        this.version = frame.version;
        this.asked = false;
        this.tries = 0;
        if (!this.ready) {
          this.ready = true;
          this.listener.link("open", "");
          for (const waiting of this.pending.values()) this.raw(waiting);
        }
        this.listener.state(frame);
        break;
      case "event":
        if (this.version !== null && frame.version <= this.version) break; // told already
        if (this.version === null || frame.version > this.version + 1) {
          if (!this.asked) this.raw({ type: "resync" });
          this.asked = true;
          break;
        }
        this.version = frame.version;
        if (!this.ready) {
          // the server answered a hello with what was missed instead of everything
          this.ready = true;
          this.tries = 0;
          this.listener.link("open", "");
          for (const waiting of this.pending.values()) this.raw(waiting);
        }
        this.listener.event(frame);
        break;
      case "ack":
        this.pending.delete(frame.n);
        break;
      case "error": {
        const sent = frame.n === null || frame.n === undefined ? null : this.pending.get(frame.n);
        if (sent) this.pending.delete(frame.n);
        if (frame.code === "stale-version" && !this.asked) {
          this.raw({ type: "resync" });
          this.asked = true;
        }
        this.listener.refused(frame, sent || null);
        break;
      }
      case "pong": {
        const trip = performance.now() - frame.t;
        this.trip = this.trip === null ? trip : this.trip * 0.7 + trip * 0.3;
        break;
      }
      case "countdown":
        this.listener.countdown(frame.ms);
        break;
      case "notice":
        this.listener.notice(frame.say);
        break;
    }
  }
}

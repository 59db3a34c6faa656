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
 * @property {(n: number) => void} acked an input is in the log; whatever came of it has been told before
 * @property {(ms: number) => void} countdown the race begins in so many ms
 * @property {(said: import("./types.js").Said[]) => void} notice
 * @property {(table: import("./types.js").TableView) => void} table the people at the table have changed, not the match
 * @property {(seat: import("./types.js").Seat, phrase: string) => void} phrase somebody says something
 * @property {(link: "open"|"lost"|"offline"|"closed", why: string) => void} link whether the server can be reached
 */

const QUIET_MS = 2500; // a ping after this much silence
const DEAD_MS = 9000; // no word for this long: the connection is taken for lost
const RETRY_MS = [300, 700, 1500, 3000, 4000];
const DRIFT_MS = 20_000; // clocks drift apart: measured again so often
const CLOCKS = 12; // how many measures of the server's clock are weighed against each other

export class MatchSocket {
  /**
   * @param {string} id the match
   * @param {string[]} tokens of the seats this screen holds
   * @param {Listener} listener
   * @param {string|null} [entropy] a random word chosen after the commitment was shown (CN-50); null: it has not been shown yet
   */
  constructor(id, tokens, listener, entropy = null) {
    this.listener = listener;
    this.tokens = tokens;
    this.entropy = entropy;
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
    this.pinged = 0;
    this.closed = false;
    /** round trip in ms, smoothed; null before the first pong @type {number|null} */
    this.trip = null;
    /** measures of the server's clock: its distance from `performance.now()`, and the round trip it was measured with
     * @type {{offset: number, trip: number}[]} */
    this.clocks = [];
    /** server's clock minus `performance.now()`, in ms */
    this.offset = performance.timeOrigin;
    this.timer = setInterval(() => this.watch(), 500);
    addEventListener("online", () => {
      this.tries = 0;
      if (!this.socket) this.connect();
      else if (this.ready) {
        this.listener.link("open", "");
        this.ping(); // whether it still holds
      }
    });
    addEventListener("offline", () => this.told());
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
    this.clocks = []; // a machine that slept has another clock afterwards
    socket.addEventListener("open", () => {
      this.heard = performance.now();
      this.raw({ type: "hello", tokens: this.tokens, version: this.version, client: this.client, ...(this.entropy ? { entropy: this.entropy } : {}) });
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
    if (code === 4404 || code === 4403 || code === 4410) {
      // there is no such match: trying again would not help
      this.close();
      this.listener.link("closed", code === 4410 ? "deleted" : reason || String(code));
      return;
    }
    this.told(reason);
    const wait = RETRY_MS[Math.min(this.tries, RETRY_MS.length - 1)];
    this.tries += 1;
    this.retry = setTimeout(() => this.connect(), wait);
  }

  /** Tell that the server cannot be reached, and whether this machine has no network at all. */
  told(reason = "") {
    if (this.closed) return;
    if (!navigator.onLine && (!this.socket || !/^(localhost|127\.|\[::1\])/.test(location.host))) this.listener.link("offline", reason);
    else if (!this.ready) this.listener.link("lost", reason);
  }

  /** Come back with other seats. @param {string[]} tokens @param {string|null} entropy */
  reseat(tokens, entropy) {
    this.tokens = tokens;
    this.entropy = entropy;
    this.version = null; // who sits where is told with the whole state
    const old = this.socket;
    this.socket = null;
    this.ready = false;
    old?.close();
    this.connect();
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
    } else if (this.ready && (silent > QUIET_MS || performance.now() - this.pinged > DRIFT_MS)) {
      this.ping();
    }
  }

  /** Measure the way to the server and back, and its clock. */
  ping() {
    this.pinged = performance.now();
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

  /**
   * @param {import("./types.js").Seat} seat @param {string} action @param {boolean} timed in a live race: with the page's own clock
   * @param {number} [at] when the key was pressed, by `performance.now()`
   */
  play(seat, action, timed, at = performance.now()) {
    const frame = { type: "play", seat, action, version: this.version };
    return this.send(timed ? { ...frame, at } : frame);
  }

  /**
   * @param {import("./types.js").Seat} seat @param {string} name
   * @param {import("./types.js").Seat} [about] the seat it is about, if another @param {string} [player] the computer player meant
   */
  command(seat, name, about, player) {
    return this.send({ type: "command", seat, name, ...(about === undefined ? {} : { about }), ...(player === undefined ? {} : { player }) });
  }

  /** Say one of the phrases that there are. @param {import("./types.js").Seat} seat @param {string} phrase */
  say(seat, phrase) {
    this.raw({ type: "say", seat, phrase });
  }

  /** @returns {number} the server's clock as this page knows it, in ms since 1970 */
  serverNow() {
    return performance.now() + this.offset;
  }

  /**
   * A measure of the server's clock: of the last ones those with the shortest way count most, because on a long way nobody knows where the time
   * was lost.
   * @param {number} now what the server's clock showed @param {number} at `performance.now()` of the same moment @param {number} trip
   */
  learnClock(now, at, trip) {
    this.clocks.push({ offset: now - at, trip });
    if (this.clocks.length > CLOCKS) this.clocks.shift();
    const least = Math.min(...this.clocks.map((one) => one.trip));
    const good = this.clocks.filter((one) => one.trip <= least * 1.25 + 2);
    this.offset = good.reduce((sum, one) => sum + one.offset, 0) / good.length;
  }

  /** In step with the server again: what was not acknowledged is sent once more. */
  open() {
    this.ready = true;
    this.tries = 0;
    this.listener.link("open", "");
    for (const waiting of this.pending.values()) this.raw(waiting);
    for (const wait of [0, 150, 400, 900]) setTimeout(() => this.ready && this.ping(), wait); // to know the server's clock before it is needed
  }

  /** @param {import("./types.js").TableView|undefined} table any frame that tells the server's clock, before there is a better measure */
  glimpse(table) {
    if (table?.now && !this.clocks.length) this.offset = table.now - performance.now();
  }

  /** @param {string} text */
  read(text) {
    this.heard = performance.now();
    const frame = JSON.parse(text);
    switch (frame.type) {
      case "probe":
        this.raw({ type: "echo", s: frame.s, t: performance.now() });
        break;
      case "state":
        this.glimpse(frame.table);
        this.version = frame.version;
        this.asked = false;
        this.tries = 0;
        if (!this.ready) this.open();
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
        if (!this.ready) this.open(); // the server answered a hello with what was missed instead of everything
        this.listener.event(frame);
        break;
      case "ack":
        this.pending.delete(frame.n);
        this.listener.acked(frame.n);
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
        const at = performance.now();
        const trip = at - frame.t;
        if (frame.now) this.learnClock(frame.now, at - trip / 2, trip);
        this.trip = this.trip === null ? trip : this.trip * 0.7 + trip * 0.3;
        break;
      }
      case "countdown":
        // by the server's clock, so that it begins for everybody at once, whatever their lines
        this.listener.countdown(frame.goes ? Math.max(0, frame.goes - this.serverNow()) : frame.ms);
        break;
      case "table":
        this.glimpse(frame.table);
        this.listener.table(frame.table);
        break;
      case "phrase":
        this.listener.phrase(frame.seat, frame.phrase);
        break;
      case "notice":
        this.listener.notice(frame.say);
        break;
    }
  }
}

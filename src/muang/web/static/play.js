// @ts-check
/**
 * Owns the play page: joins the connection, what is known, what is shown and what is pressed. Each of these has a module of its own; here is
 * only who calls whom. The server decides everything; a touch is sent at once, whatever still moves.
 */

import { fetchGames, fetchLayout, fetchTold } from "./api.js";
import { Asks, closeSheets } from "./asks.js";
import { Back } from "./back.js";
import { betweenRounds, help, sheet } from "./dialogs.js";
import { $, fill, h, icon } from "./dom.js";
import { Heading } from "./heading.js";
import { Hint } from "./hint.js";
import { Moves } from "./horses.js";
import { language, preferredLanguage, setLanguage, t } from "./i18n.js";
import { listen } from "./keys.js";
import { MoveList } from "./log.js";
import { moreSheet } from "./more.js";
import { gameName } from "./names.js";
import { People, wordFor } from "./people.js";
import { keptMatch, read, write } from "./prefs.js";
import { Presses } from "./presses.js";
import { RaceCard, isDuel, learnKeyboard } from "./race.js";
import { refusal } from "./refusals.js";
import { result } from "./result.js";
import { Seats } from "./seats.js";
import { Session } from "./session.js";
import { MatchSocket } from "./socket.js";
import { makeStage } from "./stage.js";
import { SPEEDS, Theatre } from "./theatre.js";
import { Tools, speedName } from "./tools.js";

/**
 * @typedef {import("./types.js").Seat} Seat
 * @typedef {import("./types.js").SowingView} SowingView
 * @typedef {import("./types.js").HorsesView} HorsesView
 * @typedef {import("./theatre.js").Scene} Scene
 */

/** How long nothing may come late before what was said is looked through again, and how long at most that waits, in ms. */
const AGAIN_AFTER_MS = 1000;
const AGAIN_AT_MOST_MS = 5000;

/** How long the end of a match can be looked at before the result lies over it, in ms. */
const RESULT_AFTER_MS = 900;

await setLanguage(preferredLanguage());
void learnKeyboard();
const id = decodeURIComponent(location.pathname.split("/").filter(Boolean).at(-1) || "");
const session = new Session(id, keptMatch(id)?.tokens || {});

/** @type {ReturnType<typeof makeStage>|null} */
let stage = null;
/** @type {Seats|null} */
let seats = null;
let pathShown = false;
let scenes = 0;
let toldResult = false;
/** the sentence of the last scene that was told */
let lastWord = "";

const theatre = new Theatre({
  show: (view) => stage?.show(view),
  play: async (scene, speed, signal) => stage?.play(scene, speed, signal),
  quick: (scene) => stage?.quick(scene),
  hold: (paused) => stage?.hold(paused),
  speed: (times) => stage?.speed(times),
});
const log = new MoveList(session, replay);
const back = new Back(session, theatre, log, announce);
const race = new RaceCard(session, () => presses.ready());
const moves = new Moves(session, { choose: ({ action }) => presses.act(/** @type {Seat} */ (session.now.turn), action), point: (action) => stage?.point(action) });
const presses = new Presses(session, { stage: () => stage, socket: () => socket, theatre, moves, announce, closeRound });
const heading = new Heading($("bar"), session, race.clock, { help: () => help(session), share: () => people.share(), renamed: relabel });
const hint = new Hint(session, {
  mark: (action) => {
    stage?.board.hint(action);
    if (session.isHorses) moves.star(action);
  },
  say: announce,
  changed: () => {
    tools.hinting = hint.asking;
    tools.draw();
  },
});
const tools = new Tools(session, theatre, {
  hint: askHint,
  replay: () => replay(log.last),
  back: () => back.earlier(),
  path: togglePath,
  flip,
  face,
  help: () => help(session),
  moves: () => {
    sheet("log-sheet", t("What happened"), [log.node]).addEventListener("close", placeLog);
    log.end();
  },
  more,
  resign: () => asks.resign(),
  draw: () => asks.ask("draw"),
  takeback: () => asks.ask("takeback"),
  rematch: () => asks.rematch(),
});
const people = new People(session, { socket: () => socket, stage: () => stage, strip: (seat) => seats?.node(seat), announce });
const asks = new Asks(session, $("offer"), {
  command: (seat, name, about) => void socket.command(seat, name, about),
  announce,
  lastSeat: () => log.scenes.findLast((scene) => scene.entry?.kind === "play")?.entry?.seat ?? undefined,
});

// ── what happens ─────────────────────────────────────────────────────────────────────────────────────────────────────────────

/** @type {import("./socket.js").Listener} */
const told = {
  state: (frame) => {
    const missed = frame.version !== session.version;
    session.takeState(frame);
    if (missed) void remember();
    presses.sent.clear();
    void begin();
  },
  event: (frame) => {
    const before = session.now;
    const live = session.isLiveRace || session.isByHand;
    session.takeEvent(frame);
    const seat = frame.entry?.seat ?? null;
    const known = seat !== null && session.ahead.confirm(frame.entry, session.isMine(seat), frame.events) ? seat : null;
    presses.sent.clear();
    const back = frame.entry?.kind === "takeback";
    if (back) frame.say = [[t("A turn is taken back."), {}]];
    // an act that turned out impossible changes nothing, and in a race nobody has time to hear of it
    if (live && frame.events.length && frame.events.every(([, kind]) => kind === "void")) frame.say = [];
    const moved = frame.events.length > 0 || back || frame.late;
    if (moved || frame.entry?.kind === "play") hint.moved();
    if (frame.entry?.kind === "begin") theatre.reset(frame.match); // what was shown before all lots were drawn was only a board laid out
    else if (moved && stage) {
      theatre.push({ number: ++scenes, version: frame.version, before, events: frame.events, after: frame.match, say: frame.say, entry: frame.entry, live, plain: back || frame.late, known });
    } else {
      if (!theatre.busy) theatre.shown = frame.match;
      stage?.newest();
    }
    if (!moved && frame.say.length) announce(session.tell(frame.say));
    if (frame.late) again.soon();
    draw();
  },
  refused: (frame, input) => {
    if (input) presses.sent.delete(input.seat);
    if (input) session.ahead.settle(input.n);
    stage?.again();
    // what comes a moment too late, when the race is over, is nobody's mistake
    const late = frame.code === "illegal-action" && (input?.action === "drop" || input?.action === "slip" || performance.now() < session.calmUntil);
    if (frame.code === "stale-version" || late) return;
    announce(t("That is not possible: {reason}", { reason: refusal(frame.code, frame.message) }));
    draw();
  },
  acked: (n) => {
    if (session.ahead.settle(n)) stage?.again();
  },
  countdown: (ms) => {
    session.begins = performance.now() + ms;
    draw();
    stage?.board.focusHole();
  },
  notice: (said) => announce(session.tell(said)),
  table: (table) => {
    session.takeTable(table);
    draw();
  },
  phrase: (seat, phrase) => people.talk.hear(seat, phrase),
  link: (state, why) => {
    session.lostAt = state === "open" ? null : (session.lostAt ?? performance.now());
    if (state !== "closed") return heading.reach(state);
    const text = why === "deleted" ? t("This match has been deleted.") : t("This match is not on this server.");
    $("main").classList.add("without-match");
    fill($("main"), h("div", { class: "gone" }, h("p", {}, text), h("a", { class: "button main", href: "/" }, t("To the start page"))));
    if (why !== "deleted") console.warn(why);
  },
};
const socket = new MatchSocket(id, Object.values(session.tokens), told, await wordFor(id));
session.serverNow = () => socket.serverNow();
session.moment = (ms) => performance.now() + ms - socket.serverNow();

theatre.addEventListener("seen", (event) => {
  const scene = /** @type {CustomEvent<Scene>} */ (event).detail;
  // told when it has been seen: nobody likes to read the end first
  if (scene.say.length) announce((lastWord = session.tell(scene.say)));
  log.add(scene);
  if (scene.after.game !== "ca-ngua" && scene.before.game !== "ca-ngua" && scene.after.round > scene.before.round) nextRound(scene, scene.after);
  if (scene.live) seats?.draw(theatre.shown ?? session.now, stage?.flipped ?? false);
});
theatre.addEventListener("settled", () => {
  draw();
  if (session.view?.phase === "over" && !toldResult) {
    toldResult = true;
    // the last seed is still to be looked at
    setTimeout(() => {
      result(session, { rematch: session.isLooking ? null : () => asks.rematch() });
      asks.note();
    }, RESULT_AFTER_MS);
  }
});
theatre.addEventListener("change", () => {
  tools.draw();
});

/** @param {Scene} scene @param {SowingView} view */
function nextRound(scene, view) {
  if (!theatre.running && !scene.live) return; // it was skipped over
  theatre.close();
  betweenRounds(session, view, $("round"), session.tell(scene.say), closeRound);
}

/** @returns {boolean} whether there was a card to close */
function closeRound() {
  if ($("round").hidden) return false;
  $("round").hidden = true;
  theatre.open();
  stage?.board.focusHole();
  draw();
  return true;
}

/** @param {string} text */
function announce(text) {
  $("live").textContent = text;
}

// ── how it is shown ──────────────────────────────────────────────────────────────────────────────────────────────────────────

function askHint() {
  theatre.finish();
  void hint.ask();
}

/** Fill the list with what happened while this page did not look. */
async function remember() {
  try {
    log.fill(await fetchTold(id));
  } catch (error) {
    console.warn(error); // the list begins here, then
  }
}

/** What came late counts from when it was done: sentences told before may not be true any more. */
const again = {
  timer: 0,
  /** when the first of what came late came; 0: nothing has */
  since: 0,
  soon() {
    const now = performance.now();
    again.since ||= now;
    clearTimeout(again.timer);
    again.timer = setTimeout(again.look, Math.max(0, Math.min(AGAIN_AFTER_MS, again.since + AGAIN_AT_MOST_MS - now)));
  },
  async look() {
    again.since = 0;
    if (back.isOpen) return again.soon(); // the list is being looked through
    await remember();
    const all = log.scenes.map(({ say }) => session.tell(say));
    if (lastWord && $("live").textContent === lastWord && !all.some((text) => text.includes(lastWord))) announce("");
  },
};

function togglePath() {
  pathShown = !pathShown;
  tools.pathOn = pathShown;
  drawPath();
  tools.draw();
}

function drawPath() {
  const seat = session.acting()[0] ?? session.now.turn ?? session.mine()[0] ?? session.seats[0]?.seat;
  stage?.board.showPath(pathShown ? seat : null);
}

function flip() {
  stage?.flip();
  draw();
}

/** North's strip upside down, for two people with a tablet flat between them. */
function face() {
  tools.facing = !tools.facing;
  write("muang.facing", tools.facing);
  draw();
}

/** @param {Scene|undefined} scene */
function replay(scene) {
  if (!scene || !stage || (theatre.busy && !theatre.looking)) return;
  closeSheets();
  // a race goes on: whoever looks at something of the past stays there until they come back
  if (theatre.looking || (session.isLiveRace && session.race.running)) return void back.show(scene);
  announce(session.tell(scene.say));
  // by hand a move is many scenes: the board knows them all
  if (session.isByHand && scene === log.last) void stage.board.replay();
  else void theatre.again(scene);
}

// ── what is shown ────────────────────────────────────────────────────────────────────────────────────────────────────────────

async function begin() {
  if (!stage) {
    const [layout, { games }] = await Promise.all([fetchLayout(session.now), fetchGames()]);
    if (stage) return;
    const game = games.find((one) => one.name === session.now.game);
    heading.rulesets = Object.fromEntries((game?.rulesets || []).map(({ name, label }) => [name, label]));
    stage = makeStage($("board"), session, layout, { act: (seat, action, press) => presses.act(seat, action, press), refuse: (place) => presses.refused(place) });
    $("main").dataset.game = session.now.game;
    seats = new Seats(session, { drop: presses.byHand("drop"), slip: presses.byHand("slip") });
    $("over-board").append(race.node);
    $("stage").after(back.node);
    fill($("moves"), moves.node);
    fill($("tools"), tools.node);
    tools.facing = Boolean(read("muang.facing", false));
    placeLog();
    placeAsks();
    relabel();
    $("board").addEventListener("focusin", (event) => {
      const move = /** @type {Element} */ (event.target).closest?.("[data-move]")?.getAttribute("data-move");
      if (move) moves.follow(move);
    });
    listen(
      session,
      {
        hole: (seat, number, at) => presses.hole(seat, number, at),
        drop: presses.byHand("drop"),
        slip: presses.byHand("slip"),
        act: () => presses.centre(),
        step: (by) => presses.step(by),
        arrive: () => presses.arrive(),
        speed,
        skip,
        pause: () => theatre.busy && theatre.pause(),
        replay: () => replay(log.last),
        back: (by) => (by < 0 ? back.earlier() : void back.later()),
        path: togglePath,
        flip,
        hint: askHint,
        help: () => help(session),
      },
      $("board"),
    );
    requestAnimationFrame(frame);
  }
  race.say = announce;
  race.went = draw;
  theatre.reset(session.now);
  draw();
}

function frame() {
  race.tick();
  people.tick();
  asks.tick();
  seats?.tick(stage?.counts() ?? {});
  requestAnimationFrame(frame);
}

/** What has no place in the bar and beside the board on small screens. */
function more() {
  moreSheet(session, tools, { share: () => people.share(), relabel, closed: placeAsks });
}

/** The list of what happened has its place beside the board, or comes in a sheet on small screens. */
function placeLog() {
  if (document.querySelector("#log-sheet[open]")) return;
  fill($("log"), log.node);
  log.end();
}

function placeAsks() {
  if (!document.querySelector("#more[open]")) fill($("asks"), tools.table);
}

/** Everything that is written, anew: after a change of the language. */
function relabel() {
  $("skip").textContent = t("Skip to the board");
  $("title").textContent = gameName(session.now.game).latin;
  $("stage").setAttribute("aria-label", t("Board"));
  heading.relabel();
  stage?.rename();
  log.draw();
  moves.forget();
  draw();
}

function draw() {
  if (!stage || !session.view) return;
  const view = session.now;
  document.body.dataset.phase = view.phase;
  $("main").dataset.pace = view.game === "ca-ngua" ? "" : view.pace;
  $("main").classList.toggle("by-hand", session.isByHand && session.mine().length > 0);
  $("main").classList.toggle("duel", isDuel(session));
  $("main").classList.toggle("facing", tools.facing && session.isShared && !session.isHorses);
  heading.draw();
  seats?.draw(theatre.shown ?? view, stage.flipped);
  race.draw();
  const shown = theatre.shown ?? view;
  const open = view.game === "ca-ngua" && view.phase === "move" && !theatre.busy && session.acting().length > 0;
  if (shown.game === "ca-ngua" && view.game === "ca-ngua") moves.draw(view, open);
  $("moves").hidden = view.game !== "ca-ngua";
  tools.draw();
  people.draw();
  asks.draw();
  drawPath();
}

/** @param {number} by */
function speed(by) {
  theatre.setSpeed(by === 0 ? 1 : theatre.speed + by);
  announce(t("Speed: {speed}", { speed: speedName(SPEEDS[theatre.speed][0]) }));
}

function skip() {
  if (back.isOpen) back.leave();
  else if (!closeRound()) theatre.skip();
}

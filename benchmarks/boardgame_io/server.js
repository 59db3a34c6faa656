/**
 * boardgame.io's server as it comes, matches in its memory: `node server.js PORT LOBBY_PORT`. Says `ready` when it listens.
 *
 * The lobby has a port of its own: on the same one it is not found with the versions of koa-socket-2 and koa-compose that npm installs.
 */

const { Server, Origins } = require("boardgame.io/server");
const { sowing } = require("./game.js");

const [port, lobby] = process.argv.slice(2).map(Number);
const server = Server({ games: [sowing], origins: [Origins.LOCALHOST] });
server.run({ port, lobbyConfig: { apiPort: lobby } }).then(() => console.log("ready"));

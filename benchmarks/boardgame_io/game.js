/** A game of two players with about the load of a turn of sowing: a ring of fourteen houses, a move sows one of them. Never ends. */

const { INVALID_MOVE } = require("boardgame.io/core");

const HOUSES = 14;

const sowing = {
  name: "sowing",
  setup: () => ({ houses: Array(HOUSES).fill(7), moves: 0 }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    /** Sow the seeds of `house`, one of the player's own seven; -1 where all of those are empty. */
    sow: ({ G, playerID }, house) => {
      const first = playerID === "0" ? 0 : HOUSES / 2;
      const own = G.houses.slice(first, first + HOUSES / 2);
      const good = house === -1 ? own.every((seeds) => seeds === 0) : Number.isInteger(house) && own[house - first] > 0;
      if (!good) return INVALID_MOVE;
      if (house >= 0) {
        let seeds = G.houses[house];
        G.houses[house] = 0;
        for (let at = house + 1; seeds > 0; at += 1, seeds -= 1) G.houses[at % HOUSES] += 1;
      }
      G.moves += 1;
    },
  },
};

module.exports = { sowing };

// @ts-check
/** Owns the turning of a layout by half, for whoever plays North: a turn, never a mirror image, so that sowing keeps its direction. Pure. */

/** @typedef {import("./types.js").Plan} Plan */

/** @param {Plan} plan of a sowing game @returns {Plan} the same board seen from the other side */
export function turned(plan) {
  /** @type {Plan["places"]} */
  const places = {};
  for (const [name, place] of Object.entries(plan.places)) {
    const { plate, number, hands, spots, heap } = place;
    places[name] = {
      ...place,
      x: -place.x,
      y: -place.y,
      plate: plate && { ...plate, x: -plate.x, y: -plate.y },
      number: number && { ...number, x: -number.x, y: -number.y },
      hands: hands && Object.fromEntries(Object.entries(hands).map(([seat, [x, y, turn]]) => [seat, [-x, -y, (turn + 180) % 360]])),
      spots: spots?.map(([x, y, turn]) => [-x, -y, turn]),
      heap: heap?.map(([x, y, turn]) => [-x, -y, turn]),
    };
  }
  return {
    ...plan,
    flipped: !plan.flipped,
    places,
    // what stands beside the board changes places; the board's sides too
    seats: { S: plan.seats.N, N: plan.seats.S },
    // the light still comes from above
    defs: plan.defs.map((item) => {
      if (item.kind === "linear") return { ...item, x1: item.x2, y1: item.y2, x2: item.x1, y2: item.y1 };
      return item.kind === "radial" ? { ...item, cx: 1 - item.cx, cy: 1 - item.cy } : item;
    }),
    art: plan.art.map((shape) => (shape.class === "shadow" ? shape : { ...shape, transform: "rotate(180)" })),
  };
}

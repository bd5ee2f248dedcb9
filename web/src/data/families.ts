/** What families are called in full, for those who do not know their short names. */
export const FAMILIES: Readonly<Record<string, string>> = {
  rdt: "a recursive diagonal torus", prdt: "a perfect recursive diagonal torus", srt1d: "a shifted recursive torus of one dimension",
  srt2d: "a shifted recursive torus of two dimensions", rdn: "a recursive dual-net", torus: "a torus", mesh: "a mesh", hypercube: "a hypercube",
  fattree: "a fat tree", dragonfly: "a dragonfly", slimfly: "a Slim Fly", hyperx: "a HyperX, every line a complete graph",
  flatfly: "a flattened butterfly", clos: "a folded Clos network", threetier: "three tiers of switches", fly: "a butterfly", cmesh: "a concentrated mesh", dualcube: "a dual-cube",
  ccc: "cube-connected cycles", wk: "a WK-recursive network", debruijn: "a de Bruijn graph", kautz: "a Kautz graph", star: "a star graph",
  crossedcube: "a crossed cube", midimew: "a midimew network", hypernet: "a hypernet", hypermesh: "a hypermesh", chordalring: "a chordal ring",
  illiac: "the mesh of the Illiac IV", barrelshifter: "a barrel shifter network", circularomega: "a circular omega network", pradhan: "a network of Pradhan",
  tree: "a tree", complete: "a complete graph", random: "a random regular graph", graph: "a named graph", file: "a network from a file",
};

// Draws the scene with WebGL 2: a shadow pass, the ground and bodies, then the ghost, then marks that shine through.

const SHADOW_SIZE = 2048;
const SHADOW_HALF = 2.6; // half width of the lit box around the body [m]
const TO_LIGHT = unit([0.45, -0.55, 1.25]);
const GHOST_BEHIND = 0.05; // where ghost and body nearly coincide the body is seen [m]

class Renderer {
  constructor(canvas, take) {
    this.canvas = canvas;
    this.take = take;
    this.gl = canvas.getContext("webgl2", { antialias: true, alpha: false, preserveDrawingBuffer: true });
    if (!this.gl) throw new Error("no WebGL 2");
    this.depth = this.program(DEPTH_VERTEX, DEPTH_FRAGMENT);
    this.main = this.program(VERTEX, FRAGMENT);
    this.meshes = take.meshes.map((mesh) => this.upload(mesh));
    this.moving = take.pieces.filter((piece) => piece.role !== "ground");
    this.planes = take.pieces.filter((piece) => piece.role === "ground" && piece.flat);
    this.fixed = this.bake(take.pieces.filter((piece) => piece.role === "ground" && !piece.flat));
    this.own = new Set(take.character);
    this.pressure = new Pressure(take);
    this.marks = new Marks(take, this.meshes);
    this.cameras = (take.video || []).flatMap((camera) => this.marks.frustum(camera));
    this.makeShadow();
    this.readTheme();
  }

  program(vertex, fragment) {
    const gl = this.gl, program = gl.createProgram();
    for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, text);
      gl.compileShader(shader);
      if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program));
    const at = {};
    for (let i = 0; i < gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS); i++) {
      const name = gl.getActiveUniform(program, i).name;
      at[name] = gl.getUniformLocation(program, name);
    }
    return { program, at };
  }

  upload(mesh) {
    const gl = this.gl, array = gl.createVertexArray();
    gl.bindVertexArray(array);
    [mesh.vertices, mesh.normals, mesh.tints].forEach((values, location) => {
      if (!values) return;
      gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
      gl.bufferData(gl.ARRAY_BUFFER, values, gl.STATIC_DRAW);
      gl.enableVertexAttribArray(location);
      gl.vertexAttribPointer(location, 3, gl.FLOAT, false, 0, 0);
    });
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, new Uint32Array(mesh.faces), gl.STATIC_DRAW);
    gl.bindVertexArray(null);
    return { array, count: mesh.faces.length };
  }

  // All fixed things as one mesh in the world, so that a thousand pebbles cost one call.
  bake(pieces) {
    if (!pieces.length) return null;
    const vertices = [], normals = [], tints = [], faces = [];
    for (const piece of pieces) {
      const mesh = this.take.meshes[piece.mesh], first = vertices.length / 3;
      const pose = this.placed(piece, poseAt(this.take.poses, piece.body, 0)), [sx, sy, sz] = piece.stretch;
      for (let i = 0; i < mesh.vertices.length; i += 3) {
        const [x, y, z] = mesh.vertices.subarray(i, i + 3), [u, v, w] = mesh.normals.subarray(i, i + 3);
        vertices.push(...add(rotate(pose.orientation, [x * sx, y * sy, z * sz]), pose.position));
        normals.push(...unit(rotate(pose.orientation, [u / sx, v / sy, w / sz])));
        tints.push(...piece.colour);
      }
      for (const face of mesh.faces) faces.push(face + first);
    }
    return this.upload({ vertices: new Float32Array(vertices), normals: new Float32Array(normals), tints: new Float32Array(tints), faces });
  }

  makeShadow() {
    const gl = this.gl;
    this.shadow = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, this.shadow);
    gl.texStorage2D(gl.TEXTURE_2D, 1, gl.DEPTH_COMPONENT24, SHADOW_SIZE, SHADOW_SIZE);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_COMPARE_MODE, gl.COMPARE_REF_TO_TEXTURE);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.LINEAR);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
    this.shadowFrame = gl.createFramebuffer();
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.shadowFrame);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.TEXTURE_2D, this.shadow, 0);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  }

  readTheme() {
    const style = getComputedStyle(document.documentElement);
    const colour = (name) => {
      const hex = parseInt(style.getPropertyValue(name).trim().slice(1), 16);
      return [(hex >> 16) / 255, ((hex >> 8) & 255) / 255, (hex & 255) / 255];
    };
    this.theme = { sky: colour("--sky"), floor: colour("--floor"), tile: colour("--tile") };
  }

  resize() {
    const ratio = Math.min(window.devicePixelRatio || 1, 2), { clientWidth, clientHeight } = this.canvas;
    const width = Math.max(1, Math.round(clientWidth * ratio)), height = Math.max(1, Math.round(clientHeight * ratio));
    if (this.canvas.width !== width || this.canvas.height !== height) Object.assign(this.canvas, { width, height });
  }

  // Where a piece is, given its body's pose.
  placed(piece, pose) {
    return {
      position: add(pose.position, rotate(pose.orientation, piece.position)),
      orientation: multiplyQuaternions(pose.orientation, piece.orientation),
    };
  }

  list(poses, pieces, frame) {
    const bodies = new Map();
    return pieces.map((piece) => {
      if (!bodies.has(piece.body)) bodies.set(piece.body, poseAt(poses, piece.body, frame));
      return { body: piece.body, mesh: this.meshes[piece.mesh], colour: this.sides ? piece.sideColour : piece.colour, stretch: piece.stretch, ...this.placed(piece, bodies.get(piece.body)) };
    });
  }

  put(at, item) {
    const gl = this.gl;
    gl.uniform3fv(at.place, item.position || [0, 0, 0]);
    gl.uniform4fv(at.turn, item.orientation || [1, 0, 0, 0]);
    gl.uniform3fv(at.stretch, item.stretch || [1, 1, 1]);
    if (item.colour) gl.vertexAttrib3fv(2, item.colour);
    gl.bindVertexArray(item.mesh.array);
    gl.drawElements(gl.TRIANGLES, item.mesh.count, gl.UNSIGNED_INT, 0);
  }

  draw(frame, camera, shown) {
    this.resize();
    const gl = this.gl, take = this.take;
    this.sides = shown.sides;
    const bodies = this.list(take.poses, this.moving, frame);
    const focus = poseAt(take.poses, take.character[0], frame).position;
    const sun = multiplyMatrices(orthographic(SHADOW_HALF, 0.1, 16), lookAt(add(focus, scaled(TO_LIGHT, 8)), focus));
    this.drawShadow(sun, bodies);
    const view = camera.view(this.canvas.width / this.canvas.height);
    gl.viewport(0, 0, this.canvas.width, this.canvas.height);
    gl.clearColor(...this.theme.sky, 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    this.begin(view, sun, camera);
    const below = camera.eye()[2] < focus[2] && camera.elevation < ABOVE_GROUND;
    if (!below) this.drawPlanes(camera.target);
    if (!shown.pressure) this.drawFixed();
    this.drawBodies(bodies, frame, shown.pressure);
    if (shown.camera && !camera.through) for (const edge of this.cameras) this.put(this.main.at, edge);
    if (below) this.drawVeil(() => this.drawPlanes(camera.target), 0.25, gl.FRONT);
    if (shown.pressure) this.drawVeil(() => this.drawFixed(), 0.35); // a body that sinks in is seen
    if (shown.ghost && take.ghost && frame / take.rate + take.start <= take.ghostUntil + 1e-6) this.drawGhost(frame, take.ghost, take.colours.ghost);
    if (shown.target && take.machine && take.machine.target) this.drawGhost(frame, take.machine.target, take.colours.target);
    const marks = this.marks.at(frame, shown);
    if (shown.pressure) this.drawPressureThrough(bodies, frame);
    this.drawMarks(marks);
    gl.bindVertexArray(null);
  }

  begin(view, sun, camera) {
    const gl = this.gl, at = this.main.at;
    gl.useProgram(this.main.program);
    gl.enable(gl.DEPTH_TEST);
    gl.disable(gl.BLEND);
    gl.uniformMatrix4fv(at.project, false, view);
    gl.uniformMatrix4fv(at.light, false, sun);
    gl.uniform3fv(at.eye, camera.eye());
    gl.uniform3fv(at.centre, camera.target);
    gl.uniform3fv(at.toLight, TO_LIGHT);
    gl.uniform3fv(at.sky, this.theme.sky);
    gl.uniform3fv(at.tile, this.theme.tile);
    gl.uniform1f(at.opacity, 1);
    gl.uniform1f(at.veil, 0);
    gl.uniform1f(at.behind, 0);
    gl.uniform1i(at.ground, 0);
    gl.uniform1i(at.pressing, 0);
    const { radius, facing, full, ramp } = this.take.pressure;
    gl.uniform3f(at.spread, radius, facing, full);
    gl.uniform3fv(at["ramp[0]"], ramp.flat());
    gl.bindTexture(gl.TEXTURE_2D, this.shadow);
  }

  drawShadow(sun, bodies) {
    const gl = this.gl;
    gl.bindTexture(gl.TEXTURE_2D, null);
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.shadowFrame);
    gl.viewport(0, 0, SHADOW_SIZE, SHADOW_SIZE);
    gl.clear(gl.DEPTH_BUFFER_BIT);
    gl.useProgram(this.depth.program);
    gl.enable(gl.DEPTH_TEST);
    gl.depthMask(true);
    gl.uniformMatrix4fv(this.depth.at.project, false, sun);
    for (const item of bodies) this.put(this.depth.at, item);
    if (this.fixed) this.put(this.depth.at, { mesh: this.fixed });
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  }

  drawPlanes(centre) {
    const gl = this.gl, at = this.main.at;
    gl.uniform1i(at.ground, 2);
    for (const item of this.list(this.take.poses, this.planes, 0)) {
      const local = rotate(conjugate(item.orientation), sub(centre, item.position)); // an endless plane goes along
      const position = add(item.position, rotate(item.orientation, [local[0], local[1], 0]));
      this.put(at, { ...item, position, colour: this.theme.floor });
    }
    gl.uniform1i(at.ground, 0);
  }

  drawFixed() {
    if (!this.fixed) return;
    this.gl.uniform1i(this.main.at.ground, 1);
    this.put(this.main.at, { mesh: this.fixed });
    this.gl.uniform1i(this.main.at.ground, 0);
  }

  drawBodies(bodies, frame, pressed) {
    const gl = this.gl, at = this.main.at;
    for (const item of bodies) {
      const own = pressed && this.own.has(item.body);
      gl.uniform1i(at.pressing, own ? 1 : 0);
      if (own) this.press(item.body, frame);
      this.put(at, item);
    }
    gl.uniform1i(at.pressing, 0);
  }

  press(body, frame) {
    const gl = this.gl, at = this.main.at, count = this.pressure.gather(body, frame);
    gl.uniform1i(at.touches, count);
    if (!count) return 0;
    gl.uniform4fv(at["touch[0]"], this.pressure.touch);
    gl.uniform3fv(at["outward[0]"], this.pressure.outward);
    return count;
  }

  // What is pressed mostly faces away: it shines through the body and through ground that gives way.
  drawPressureThrough(bodies, frame) {
    const gl = this.gl, at = this.main.at;
    gl.disable(gl.DEPTH_TEST);
    gl.uniform1i(at.pressing, 2);
    this.drawVeil(() => {
      for (const item of bodies) if (this.own.has(item.body) && this.press(item.body, frame)) this.put(at, item);
    }, 1, gl.FRONT);
    gl.uniform1i(at.pressing, 0);
    gl.enable(gl.DEPTH_TEST);
  }

  // See-through: one side of each surface only, or a box would be drawn twice.
  drawVeil(draw, opacity, hidden = this.gl.BACK) {
    const gl = this.gl;
    gl.cullFace(hidden);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    gl.uniform1f(this.main.at.opacity, opacity);
    gl.depthMask(false);
    gl.enable(gl.CULL_FACE);
    draw();
    gl.disable(gl.CULL_FACE);
    gl.cullFace(gl.BACK);
    gl.depthMask(true);
    gl.uniform1f(this.main.at.opacity, 1);
    gl.disable(gl.BLEND);
  }

  // First the depth, then the colour where it is nearest: one even veil instead of overlapping parts.
  drawGhost(frame, poses, colour) {
    const gl = this.gl, at = this.main.at;
    const pieces = this.moving.filter((piece) => this.own.has(piece.body));
    const items = this.list(poses, pieces, frame).map((item) => ({ ...item, colour }));
    gl.uniform1f(at.behind, GHOST_BEHIND);
    gl.colorMask(false, false, false, false);
    for (const item of items) this.put(at, item);
    gl.colorMask(true, true, true, true);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    gl.depthFunc(gl.LEQUAL);
    gl.uniform1f(at.veil, 1);
    for (const item of items) this.put(at, item);
    gl.uniform1f(at.veil, 0);
    gl.uniform1f(at.behind, 0);
    gl.depthFunc(gl.LESS);
    gl.disable(gl.BLEND);
  }

  // Marks lie within the body: drawn faintly through it, then plainly where they are in sight.
  drawMarks(marks) {
    const gl = this.gl, at = this.main.at;
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    gl.disable(gl.DEPTH_TEST);
    gl.enable(gl.CULL_FACE);
    gl.uniform1f(at.opacity, 0.5);
    for (const mark of marks) this.put(at, mark);
    gl.disable(gl.CULL_FACE);
    gl.disable(gl.BLEND);
    gl.enable(gl.DEPTH_TEST);
    gl.uniform1f(at.opacity, 1);
    for (const mark of marks) this.put(at, mark);
  }
}
